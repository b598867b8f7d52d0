import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';

/**
 * Settles when the page has painted all that happened in it before: whatever is captured from then on shows it. A page
 * that hangs does not. Chrome draws a frame of its own for a screenshot and waits until that is presented; with a clip
 * it would move the page for a moment, also for others who look on. Source: Page.captureScreenshot.
 */
export async function painted(budget: Budget, session: CdpSession): Promise<void> {
  await budget.during('the page to be painted', () =>
    session.send('Page.captureScreenshot', { format: 'jpeg', quality: 1 }),
  );
}

import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';

/**
 * Settles when the page has painted all earlier changes, so that later captures show them; a hung page does not settle.
 * For a screenshot Chrome draws an extra frame and waits until it is presented. No clip, because that would move the
 * page briefly for all viewers. Source: Page.captureScreenshot.
 */
export async function painted(budget: Budget, session: CdpSession): Promise<void> {
  await budget.during('the page to be painted', () =>
    session.send('Page.captureScreenshot', { format: 'jpeg', quality: 1 }),
  );
}

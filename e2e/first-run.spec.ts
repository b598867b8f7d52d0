import type { Locator } from '@playwright/test';
import { writeNote } from './support/note';
import { expect, test } from './support/product';

test.describe('first run', () => {
  test('[OP1][AU1] the printed link signs the owner in once; without it there is nothing to see', async ({
    product,
    stranger: open,
    t,
  }) => {
    const stranger = await open();
    await stranger.goto(`${product.origin}/`);
    await expect(stranger).toHaveURL(/\/sign-in$/);
    await stranger.goto(product.printedLink);
    await expect(stranger).toHaveURL(/\/w\/[^/]+$/);
    await expect(stranger.getByRole('button', { name: t('demo.start') })).toBeVisible();

    const second = await open();
    await second.goto(product.printedLink);
    await expect(second).toHaveURL(/\/sign-in\?used=1$/);
  });

  test('[OP1][CO3][CO5] one click starts the demo, and an agent is seen at work; a newcomer takes the wheel in the middle, and hands it back with a note', async ({
    person,
    product,
    t,
  }) => {
    await person.goto(product.origin);
    await person.getByRole('button', { name: t('demo.start') }).click();
    const card = person.getByRole('article').filter({ hasText: 'Fern & Field' });
    await expect(card.getByText(t('lease.agentDriving'))).toBeVisible({ timeout: 30_000 });
    await expect(card.locator('canvas')).toBeVisible();
    await expect.poll(() => paintedColours(card.locator('canvas')), { timeout: 20_000 }).toBeGreaterThan(5);
    await expect(card.getByText(/buyer-bot/).first()).toBeVisible();

    await card.getByRole('link', { name: t('wall.card.open') }).click();
    await expect(person).toHaveURL(/\/sessions\//);
    const leaseBar = person.getByRole('contentinfo', { name: t('cockpit.lease.label') });
    await leaseBar.getByRole('button', { name: t('cockpit.lease.take') }).click();
    await expect(leaseBar).toContainText(t('cockpit.lease.youHave'));
    await writeNote(person, t, 'buyer-bot', 'all yours');
    await leaseBar.getByRole('button', { name: t('cockpit.lease.handBack') }).click();
    await expect(leaseBar).toContainText(t('cockpit.lease.has', { name: 'buyer-bot' }));

    const id = person.url().split('/').at(-1) ?? '';
    const events = await product.api('GET', `/api/v1/sessions/${id}/timeline?kind=control`);
    expect(JSON.stringify(events)).toContain('all yours');
    await person.evaluate(() => fetch('/api/v1/demo', { method: 'DELETE' }));
  });
});

/** Number of different colours of a canvas, sampled in a coarse grid: one for a blank picture. */
async function paintedColours(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return 0;
    const context = element.getContext('2d');
    if (!context || element.width === 0) return 0;
    const { data } = context.getImageData(0, 0, element.width, element.height);
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += 4 * 97)
      seen.add(((data[at] ?? 0) >> 4) * 256 + ((data[at + 1] ?? 0) >> 4) * 16 + ((data[at + 2] ?? 0) >> 4));
    return seen.size;
  });
}

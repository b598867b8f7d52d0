import type { Page } from '@playwright/test';
import { expect, test } from './support/product';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test.describe('on a phone', () => {
  test('[ui] the wall and the cockpit fit, and the wheel is one thumb away', async ({ product, person }) => {
    const shop = await product.shop(person);
    const id = await product.session(shop, 'Pocket');
    await person.goto(`${product.origin}/`);
    await expect(person.getByRole('article').filter({ hasText: 'Pocket' })).toBeVisible();
    expect(await sidewaysScroll(person)).toBe(0);

    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.locator('canvas').first()).toBeVisible();
    expect(await sidewaysScroll(person)).toBe(0);
    const take = person.getByRole('contentinfo', { name: 'The wheel' }).getByRole('button', { name: 'Take the wheel' });
    const box = await take.boundingBox();
    expect(box?.height ?? 0).toBeGreaterThanOrEqual(40);
    expect(box?.width ?? 0).toBeGreaterThan(200);
    await take.tap();
    await expect(person.getByRole('button', { name: 'Hand back' })).toBeVisible();
  });
});

function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

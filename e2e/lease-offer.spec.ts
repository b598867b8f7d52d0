import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/product';

const PAUSE_MS = 15_000;

/** A page that is one large button, and counts in its title the clicks that it got. */
const PAGE = `<script>const button = document.createElement('button'); button.textContent = 'Order'; button.style.cssText = 'position:fixed;inset:0;width:100%;height:100%'; let count = 0; button.onclick = () => { count += 1; document.title = 'clicked ' + count; }; document.body.replaceChildren(button); document.title = 'not clicked';</script>`;

test('[FR4][CO3] a click on a page that an agent drives offers the wheel there, and is not sent to the page', async ({
  product,
  person,
  serve,
}) => {
  const id = await product.session(serve(PAGE), 'Wheel offer');
  await product.act(id, { kind: 'hover', selector: 'button' });
  await person.emulateMedia({ reducedMotion: 'reduce' });
  await person.goto(`${product.origin}/sessions/${id}`);
  const leaseBar = person.getByRole('contentinfo', { name: 'The wheel' });
  const offer = person.getByRole('dialog', { name: 'Who drives' });
  const picture = person.locator('#page-picture canvas');
  await expect(leaseBar.getByText('story-bot has the wheel')).toBeVisible();
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible({ timeout: PAUSE_MS });
  /** Repeats the press, since there is nothing to click before the first picture. */
  const press = () =>
    expect(async () => {
      await picture.click({ position: { x: 120, y: 120 }, force: true });
      await expect(offer).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: PAUSE_MS });

  await press();
  await expect(offer).toContainText('The agent stops at once');
  const [pictureBox, offerBox] = [await picture.boundingBox(), await offer.boundingBox()];
  expect(Math.abs((offerBox?.x ?? 0) - (pictureBox?.x ?? 0) - 120)).toBeLessThan(20);
  const { violations } = await new AxeBuilder({ page: person })
    .include('[role="dialog"]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  await person.keyboard.press('Escape');
  await expect(offer).toHaveCount(0);
  await expect(leaseBar.getByText('story-bot has the wheel')).toBeVisible();

  await press();
  await expect(offer.getByRole('button', { name: 'Take the wheel' })).toBeFocused();
  await person.keyboard.press('Enter');
  await expect(leaseBar.getByText('You have the wheel')).toBeVisible({ timeout: PAUSE_MS });
  await expect(offer).toHaveCount(0);
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible();
  await picture.click({ position: { x: 120, y: 120 }, force: true });
  await expect(person.getByRole('tab', { name: /^clicked 1$/ })).toBeVisible({ timeout: PAUSE_MS });
});

test('[FR4][UI] a letter key on a page that an agent drives offers the wheel below the page', async ({
  product,
  person,
  serve,
}) => {
  const id = await product.session(serve(PAGE), 'Wheel offer by key');
  await product.act(id, { kind: 'hover', selector: 'button' });
  await person.goto(`${product.origin}/sessions/${id}`);
  const offer = person.getByRole('dialog', { name: 'Who drives' });
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible({ timeout: PAUSE_MS });

  await person.getByRole('textbox', { name: 'You are watching' }).focus();
  await person.keyboard.press('a');
  await expect(offer.getByRole('button', { name: 'Take the wheel' })).toBeFocused();
  await person.keyboard.press('Enter');
  await expect(offer).toHaveCount(0);
  await expect(person.getByRole('textbox', { name: 'Keys you press go to the page' })).toBeFocused();
});

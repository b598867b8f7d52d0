import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/product';

const PAUSE_MS = 15_000;

/** A page that is one large button, and counts in its title what it got. */
const PAGE = `<script>const button = document.createElement('button'); button.textContent = 'Order'; button.style.cssText = 'position:fixed;inset:0;width:100%;height:100%'; let count = 0; button.onclick = () => { count += 1; document.title = 'clicked ' + count; }; document.body.replaceChildren(button); document.title = 'not clicked';</script>`;

test('[FR4][CO3] a click on a page that an agent drives offers the wheel there; taken, it is made once, and not when the page has changed', async ({
  product,
  person,
  serve,
}) => {
  const id = await product.session(serve(PAGE), 'First click');
  await product.act(id, { kind: 'hover', selector: 'button' });
  await person.emulateMedia({ reducedMotion: 'reduce' });
  await person.goto(`${product.origin}/sessions/${id}`);
  const wheel = person.getByRole('contentinfo', { name: 'The wheel' });
  const offer = person.getByRole('dialog', { name: 'Take the wheel?' });
  await expect(wheel.getByText('story-bot has the wheel')).toBeVisible();
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible({ timeout: PAUSE_MS });
  /** Before the first picture there is nothing to aim at. */
  const press = () =>
    expect(async () => {
      await person.locator('#page-picture canvas').click({ position: { x: 120, y: 120 }, force: true });
      await expect(offer).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: PAUSE_MS });

  await press();
  await expect(offer).toContainText('story-bot stops at once');
  const { violations } = await new AxeBuilder({ page: person })
    .include('[role="dialog"]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  await product.act(id, { kind: 'evaluate', fn: `() => { document.querySelector('button').textContent = 'Delete'; }` });
  await offer.getByRole('button', { name: 'Take' }).click();
  await expect(wheel.getByText('You have the wheel')).toBeVisible({ timeout: PAUSE_MS });
  await expect(person.getByText('Your click was not made')).toBeVisible({ timeout: PAUSE_MS });
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible();

  await wheel.getByRole('button', { name: 'Hand back' }).click();
  await expect(wheel.getByText('story-bot has the wheel')).toBeVisible({ timeout: PAUSE_MS });
  await press();
  await expect(offer.getByRole('button', { name: 'Take' })).toBeFocused();
  await person.keyboard.press('Enter');
  await expect(person.getByRole('tab', { name: /^clicked 1$/ })).toBeVisible({ timeout: PAUSE_MS });
  await expect(offer).toHaveCount(0);
});

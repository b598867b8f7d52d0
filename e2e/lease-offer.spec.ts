import AxeBuilder from '@axe-core/playwright';
import { LEAVE_CHORDS } from '@/components/viewport/input/keys';
import { expect, test } from './support/product';

const PAUSE_MS = 15_000;

/** A page that is one large button, and counts in its title the clicks that it got. */
const PAGE = `<script>const button = document.createElement('button'); button.textContent = 'Order'; button.style.cssText = 'position:fixed;inset:0;width:100%;height:100%'; let count = 0; button.onclick = () => { count += 1; document.title = 'clicked ' + count; }; document.body.replaceChildren(button); document.title = 'not clicked';</script>`;

test('[FR4][CO3][UI] a click on a page that an agent drives offers the wheel there, a letter key below the page, and neither is sent to the page', async ({
  product,
  person,
  serve,
  t,
}) => {
  const id = await product.session(serve(PAGE), 'Wheel offer');
  await product.act(id, { kind: 'hover', selector: 'button' });
  await person.emulateMedia({ reducedMotion: 'reduce' });
  await person.goto(`${product.origin}/sessions/${id}`);
  const leaseBar = person.getByRole('contentinfo', { name: t('cockpit.lease.label') });
  const offer = person.getByRole('dialog', { name: t('cockpit.offer.label') });
  const picture = person.locator('#page-picture canvas');
  await expect(leaseBar).toContainText(t('cockpit.lease.has', { name: 'story-bot' }));
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible({ timeout: PAUSE_MS });
  /** Repeats the press, since there is nothing to click before the first picture. */
  const press = () =>
    expect(async () => {
      await picture.click({ position: { x: 120, y: 120 }, force: true });
      await expect(offer).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: PAUSE_MS });

  await press();
  await expect(offer).toContainText(t('cockpit.offer.leadAgent'));
  const [pictureBox, offerBox] = [await picture.boundingBox(), await offer.boundingBox()];
  const most = (person.viewportSize()?.width ?? 0) - (offerBox?.width ?? 0);
  expect(Math.abs((offerBox?.x ?? 0) - Math.min(most, (pictureBox?.x ?? 0) + 120))).toBeLessThan(20);
  const { violations } = await new AxeBuilder({ page: person })
    .include('[role="dialog"]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
  await person.keyboard.press('Escape');
  await expect(offer).toHaveCount(0);
  await expect(leaseBar).toContainText(t('cockpit.lease.has', { name: 'story-bot' }));

  const field = (key: 'field' | 'fieldWatching', more = {}) =>
    person.getByRole('textbox', { name: t(`cockpit.page.${key}`, { title: 'not clicked', ...more }) });
  await field('fieldWatching').focus();
  await person.keyboard.press('a');
  await expect(offer.getByRole('button', { name: t('cockpit.lease.take') })).toBeFocused();
  await person.keyboard.press('Enter');
  await expect(offer).toHaveCount(0);
  await expect(field('field', { chord: LEAVE_CHORDS['ctrl-alt-shift'].join('+') })).toBeFocused();
  await leaseBar.getByRole('button', { name: t('cockpit.lease.handBack') }).click();
  await expect(leaseBar).toContainText(t('cockpit.lease.has', { name: 'story-bot' }));

  await press();
  await expect(offer.getByRole('button', { name: t('cockpit.lease.take') })).toBeFocused();
  await person.keyboard.press('Enter');
  await expect(leaseBar).toContainText(t('cockpit.lease.youHave'), { timeout: PAUSE_MS });
  await expect(offer).toHaveCount(0);
  await expect(person.getByRole('tab', { name: 'not clicked' })).toBeVisible();
  await picture.click({ position: { x: 120, y: 120 }, force: true });
  await expect(person.getByRole('tab', { name: /^clicked 1$/ })).toBeVisible({ timeout: PAUSE_MS });
});

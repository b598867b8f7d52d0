import type { Page } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/product';

test.describe('accessibility', () => {
  test('[ui] axe finds nothing on the wall, the dialogs and the cockpit, light and dark', async ({
    product,
    person,
    serve,
  }) => {
    await person.emulateMedia({ reducedMotion: 'reduce' });
    await person.goto(`${product.origin}/sign-in`);
    await expectClean(person);
    await person.goto(`${product.origin}/`);
    await expect(person.getByRole('button', { name: 'New session' }).first()).toBeVisible();
    await expectClean(person);
    await person.getByRole('button', { name: 'New session' }).first().click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person);
    await person.keyboard.press('Escape');
    const id = await product.session(serve('<p>ok'), 'Plain');
    await expect(person.getByRole('article').filter({ hasText: 'Plain' })).toBeVisible();
    await expectClean(person);
    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.getByRole('contentinfo', { name: 'The wheel' })).toBeVisible();
    await expectClean(person);
    await person.getByRole('tablist', { name: 'Tabs' }).getByRole('tab').press('ContextMenu');
    await expect(person.getByRole('menuitem', { name: 'Copy the address' })).toBeVisible();
    await expectClean(person);
    await person.keyboard.press('Escape');
    await person.getByRole('tab', { name: 'Timeline' }).click();
    await expectClean(person);
    await product.act(id, {
      kind: 'evaluate',
      fn: `() => { const field = document.createElement('input'); field.type = 'file'; document.body.append(field); }`,
    });
    await person.evaluate(
      async (session) => fetch(`/api/v1/sessions/${session}/files/a.txt`, { method: 'PUT', body: 'a' }),
      id,
    );
    await person.getByRole('tab', { name: 'Files' }).click();
    await expect(person.getByRole('list', { name: 'Files of this session' })).toContainText('a.txt');
    await expectClean(person);
    await person.getByRole('button', { name: 'Take the wheel' }).focus();
    await person.keyboard.press('Enter');
    await expect(person.getByRole('contentinfo', { name: 'The wheel' })).toBeFocused();
    await expect(person.getByRole('button', { name: 'Hand back' })).toBeVisible();
    await person.evaluate(
      async (session) =>
        fetch(`/api/v1/sessions/${session}/tabs/active/act`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind: 'click', selector: 'input' }),
        }),
      id,
    );
    await expect(person.getByRole('dialog', { name: /The page asks for a file/ })).toBeVisible();
    await expectClean(person);
    await person.keyboard.press('Escape');
    await person.getByRole('tab', { name: 'People' }).click();
    await expectClean(person);
  });
});

/** Tries all rules in the light theme, and those about colours in the dark one, which differs by nothing else. */
async function expectClean(page: Page): Promise<void> {
  // No frames here, so that axe needs no page of its own for each run. Only violations are worked out in full.
  const axe = () => new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await violationsOf(axe().withRules(['color-contrast', 'link-in-text-block']))).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await violationsOf(axe().withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']))).toEqual([]);
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map((node) => node.html)
        .join(' | ')
        .slice(0, 300)}`,
  );
}

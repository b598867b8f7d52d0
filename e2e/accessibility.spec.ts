import type { Page } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/product';

test.describe('accessibility', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`[ui] axe finds nothing on the wall, the dialogs and the cockpit (${colorScheme})`, async ({
      product,
      person,
      serve,
    }) => {
      await person.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await person.goto(`${product.origin}/signed-out`);
      await expectClean(person);
      await person.goto(`${product.origin}/`);
      await expect(person.getByRole('button', { name: 'New session' }).first()).toBeVisible();
      await expectClean(person);
      await person.getByRole('button', { name: 'New session' }).first().click();
      await expect(person.getByRole('dialog')).toBeVisible();
      await expectClean(person);
      await person.keyboard.press('Escape');
      const id = await product.session(serve('<p>ok'), `Plain ${colorScheme}`);
      await expect(person.getByRole('article').filter({ hasText: `Plain ${colorScheme}` })).toBeVisible();
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
  }
});

async function expectClean(page: Page): Promise<void> {
  // No frames here, so that axe needs no page of its own for each run. Only violations are worked out in full.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((node) => node.html)
          .join(' | ')
          .slice(0, 300)}`,
    ),
  ).toEqual([]);
}

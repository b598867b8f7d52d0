import type { Locator, Page } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';
import { invitationLink, join } from './support/people';
import { expect, test } from './support/product';

test.describe('accessibility', () => {
  test('[ui] axe finds nothing on the wall, the dialogs and the cockpit, light and dark', async ({
    product,
    person,
    serve,
    t,
  }) => {
    await person.emulateMedia({ reducedMotion: 'reduce' });
    await person.goto(`${product.origin}/sign-in`);
    await expectClean(person);
    await person.goto(`${product.origin}/`);
    await expect(person.getByRole('button', { name: t('wall.newSession') }).first()).toBeVisible();
    await expectClean(person);
    await person
      .getByRole('button', { name: t('wall.newSession') })
      .first()
      .click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person);
    await person.keyboard.press('Escape');
    const id = await product.session(serve('<p>ok'), 'Plain');
    await expect(person.getByRole('article').filter({ hasText: 'Plain' })).toBeVisible();
    await expectClean(person);
    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.getByRole('contentinfo', { name: t('cockpit.lease.label') })).toBeVisible();
    await expectClean(person);
    await person
      .getByRole('tablist', { name: t('cockpit.tabs.label') })
      .getByRole('tab')
      .press('ContextMenu');
    await expect(person.getByRole('menuitem', { name: t('cockpit.tabs.copyAddress') })).toBeVisible();
    await expectClean(person);
    await person.keyboard.press('Escape');
    await person.getByRole('tab', { name: t('cockpit.panels.timeline') }).click();
    await expectClean(person);
    await product.act(id, {
      kind: 'evaluate',
      fn: `() => { const field = document.createElement('input'); field.type = 'file'; document.body.append(field); }`,
    });
    await person.evaluate(
      async (session) => fetch(`/api/v1/sessions/${session}/files/a.txt`, { method: 'PUT', body: 'a' }),
      id,
    );
    await person.getByRole('tab', { name: t('cockpit.panels.files') }).click();
    await expect(person.getByRole('list', { name: t('files.list') })).toContainText('a.txt');
    await expectClean(person);
    await person.getByRole('button', { name: t('cockpit.lease.take') }).focus();
    await person.keyboard.press('Enter');
    await expect(person.getByRole('contentinfo', { name: t('cockpit.lease.label') })).toBeFocused();
    await expect(person.getByRole('button', { name: t('cockpit.lease.handBack') })).toBeVisible();
    await person.evaluate(
      async (session) =>
        fetch(`/api/v1/sessions/${session}/tabs/active/act`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind: 'click', selector: 'input' }),
        }),
      id,
    );
    await expect(person.getByRole('dialog', { name: t('files.chooser.title', { many: 'no' }) })).toBeVisible();
    await expectClean(person);
    await person.keyboard.press('Escape');
    await person.getByRole('tab', { name: t('cockpit.panels.people') }).click();
    await expectClean(person);
  });

  test('[ui] axe finds nothing on the pages for visitors, the settings and the access dialog, light and dark', async ({
    product,
    person,
    windows,
    stranger,
    serve,
    t,
  }) => {
    const visitor = await stranger();
    for (const page of [person, visitor]) await page.emulateMedia({ reducedMotion: 'reduce' });
    await join(product, windows, (await stranger()).request, {
      ...{ name: 'Axel', email: 'axel@plants.example', password: 'a few words to remember' },
    });
    await visitor.goto(`${product.origin}/sign-in`);
    await expect(visitor.getByRole('textbox', { name: t('account.email') })).toBeVisible();
    await expectClean(visitor);
    await visitor.goto(await invitationLink(product, windows, 'member'));
    await expect(visitor.getByRole('textbox', { name: t('account.name') })).toBeVisible();
    await expectClean(visitor);
    await visitor.goto(`${product.origin}/new-password#a-token`);
    await expect(visitor.getByRole('textbox', { name: t('account.newPassword.label') })).toBeVisible();
    await expectClean(visitor);

    const settings = async (page: string, loaded: Locator) => {
      await person.goto(`${product.origin}/settings/${page}`);
      await expect(loaded.first()).toBeVisible();
      await expectClean(person);
    };
    await settings('account', person.getByRole('button', { name: t('account.page.signIns.signOut'), exact: true }));
    await settings('workspace', person.getByRole('region', { name: t('settings.workspace.egress.title') }));
    await settings('people', person.getByText('axel@plants.example'));
    await person.getByRole('button', { name: t('settings.people.invite'), exact: true }).click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person);
    await settings('keys', person.getByText('WHEELHOUSE_API_KEY'));
    await person.getByRole('button', { name: t('settings.keys.new') }).click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person);
    await settings('log', person.getByRole('listitem').getByText('Axel'));
    await settings('about', person.getByRole('button', { name: t('settings.about.bundle') }));

    const id = await product.session(serve('<p>ok'), 'Open to all');
    await person.goto(`${product.origin}/sessions/${id}`);
    await person.getByRole('tab', { name: t('cockpit.panels.people') }).click();
    await person.getByRole('button', { name: t('cockpit.access.change') }).click();
    await expect(person.getByRole('dialog')).toBeVisible();
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

import type { Locator, Page } from '@playwright/test';
import AxeBuilder from '@axe-core/playwright';
import { press } from './support/keyboard';
import { invitationLink, test } from './support/people';
import { expect } from './support/product';

const DIALOG = '[role=dialog]';
/** The tool that draws a comment on the page, with its form. */
const TOOL = '[data-draw-tool]';

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
    await expectClean(person, DIALOG);
    await person.keyboard.press('Escape');
    const id = await product.session(serve('<p>ok'), 'Plain');
    await expect(person.getByRole('article').filter({ hasText: 'Plain' })).toBeVisible();
    await expectClean(person, 'main');
    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.getByRole('contentinfo', { name: t('cockpit.lease.label') })).toBeVisible();
    await expectClean(person);
    await person
      .getByRole('tablist', { name: t('cockpit.tabs.label') })
      .getByRole('tab')
      .press('ContextMenu');
    await expect(person.getByRole('menuitem', { name: t('cockpit.tabs.copyAddress') })).toBeVisible();
    await expectClean(person, '[role=menu]');
    await person.keyboard.press('Escape');
    const panels = `:has(> [role=tablist][aria-label="${t('cockpit.panels.label')}"])`;
    await person.getByRole('tab', { name: t('cockpit.panels.timeline') }).click();
    await expectClean(person, panels);
    await product.api('POST', `/api/v1/sessions/${id}/tabs/active/comments`, { text: 'Look here' });
    await person.getByRole('tab', { name: t('cockpit.panels.talk') }).click();
    await expect(person.getByRole('region', { name: t('talk.list') })).toContainText('Look here');
    await expectClean(person, panels);
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
    await expectClean(person, panels);
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
    await expectClean(person, DIALOG);
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
    member,
    t,
  }) => {
    const visitor = await stranger();
    for (const page of [person, visitor]) await page.emulateMedia({ reducedMotion: 'reduce' });
    await member({ name: 'Axel', email: 'axel@garden.example', password: 'a few words to remember' });
    await visitor.goto(`${product.origin}/sign-in`);
    await expect(visitor.getByRole('textbox', { name: t('account.email') })).toBeVisible();
    await expectClean(visitor);
    await visitor.goto(await invitationLink(product, windows, 'member'));
    await expect(visitor.getByRole('textbox', { name: t('account.name') })).toBeVisible();
    await expectClean(visitor);
    await visitor.goto(`${product.origin}/new-password#a-token`);
    await expect(visitor.getByRole('textbox', { name: t('account.newPassword.label') })).toBeVisible();
    await expectClean(visitor);

    const settings = async (page: string, loaded: Locator, part?: string) => {
      await person.goto(`${product.origin}/settings/${page}`);
      await expect(loaded.first()).toBeVisible();
      await expectClean(person, part);
    };
    await settings('account', person.getByRole('button', { name: t('account.page.signIns.signOut'), exact: true }));
    await settings('workspace', person.getByRole('region', { name: t('settings.workspace.egress.title') }), 'main');
    await settings('people', person.getByText('axel@garden.example'), 'main');
    await person.getByRole('button', { name: t('settings.people.invite'), exact: true }).click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person, DIALOG);
    await settings('keys', person.getByText('WHEELHOUSE_API_KEY'), 'main');
    await person.getByRole('button', { name: t('settings.keys.new') }).click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person, DIALOG);
    await settings('log', person.getByRole('listitem').getByText('Axel'), 'main');
    await settings('about', person.getByRole('button', { name: t('settings.about.bundle') }), 'main');

    const id = await product.session(serve('<p>ok'), 'Open to all');
    await person.goto(`${product.origin}/sessions/${id}`);
    await person.getByRole('tab', { name: t('cockpit.panels.people') }).click();
    await person.getByRole('button', { name: t('cockpit.access.change') }).click();
    await expect(person.getByRole('dialog')).toBeVisible();
    await expectClean(person, DIALOG);
    await person.keyboard.press('Escape');
    await person.getByRole('button', { name: t('share.share'), exact: true }).click();
    const share = person.getByRole('dialog');
    await share.getByRole('button', { name: t('share.make') }).click();
    await visitor.goto((await share.locator('code').textContent()) ?? '');
    await expect(visitor.getByRole('banner', { name: t('guest.bar') })).toBeVisible();
    await expect(share.getByRole('list', { name: t('share.used', { n: 1 }) })).toBeVisible();
    await expectClean(person, DIALOG);
    await expectClean(visitor);
  });
  test('[TL3][ui] by keyboard alone somebody draws on the page and comments; axe finds nothing on the tool and its form, on a desk and on a phone', async ({
    product,
    person,
    serve,
    t,
  }) => {
    await person.emulateMedia({ reducedMotion: 'reduce' });
    const id = await product.session(serve('<p>ok'), 'Drawn on');
    await person.goto(`${product.origin}/sessions/${id}`);
    await expect(person.locator('canvas').first()).toBeVisible();
    await expect(person.getByText(t('cockpit.page.waiting'))).toHaveCount(0);
    const tool = person.getByRole('button', { name: t('talk.tool') });
    const form = person.getByRole('dialog', { name: t('talk.box') });
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await person.setViewportSize(size);
      await press(person, tool);
      await expect(person.getByRole('application', { name: t('talk.drawKeys') })).toBeFocused();
      await expectClean(person, TOOL);
      await person.keyboard.press('ArrowDown');
      await person.keyboard.press('Enter');
      await expect(form.getByRole('textbox')).toBeFocused();
      await person.keyboard.type('By keys');
      await expectClean(person, TOOL);
      await press(person, form.getByRole('button', { name: t('talk.send') }));
      await expect(form).toHaveCount(0);
      await expect(tool).toBeFocused();
    }
    await expect(person.locator('[data-mark]')).toHaveCount(2);
  });
});

/**
 * Tries all rules in the light theme, and those about colours in the dark one, which differs by nothing else.
 * @param part a selector: only this part, where the rest of the page has been tried before
 */
async function expectClean(page: Page, part?: string): Promise<void> {
  // No frames here, so that axe needs no page of its own for each run. Only violations are worked out in full.
  const axe = () => {
    const whole = new AxeBuilder({ page })
      .setLegacyMode(true)
      .options({ resultTypes: ['violations'], preload: { assets: ['media'] } });
    return part === undefined ? whole : whole.include(part);
  };
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

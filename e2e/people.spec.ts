import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { totp } from '@/server/testing/totp';
import { press, type } from './support/keyboard';
import { invitationLink, test } from './support/people';
import { DOMAIN, expect, textField } from './support/product';
import { wordsIn, type Words } from './support/words';

const PASSWORD = 'a few words to remember';
/** A page with a field that has the focus; its title is what was typed. */
const WRITES = '<input id="field" oninput="document.title = value"><script>field.focus()</script>';

/** Fills in the sign-in page. */
async function signIn(page: Page, t: Words, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: t('account.email') }).fill(email);
  await page.getByRole('textbox', { name: t('account.password'), exact: true }).fill(password);
  await page.getByRole('button', { name: t('account.signIn'), exact: true }).click();
}

/** Ends the sign-in of this browser, on the account page. */
async function signOut(page: Page, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('account.page.signIns.signOut'), exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in/);
}

/** Sets up the codes of an authenticator app, on the account page; then its recovery codes are shown. */
async function setUpCodes(page: Page, t: Words): Promise<string> {
  await page.getByRole('button', { name: t('account.page.factor.begin') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: t('account.currentPassword') })).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const secret = await dialog.locator('code').innerText();
  await dialog.getByRole('textbox', { name: t('account.factor.code.label') }).fill(totp(secret));
  await dialog.getByRole('button', { name: t('account.page.factor.confirm') }).click();
  return secret;
}

/** The wall has opened, of the one workspace there is. */
async function expectWall(page: Page, t: Words): Promise<void> {
  await expect(page).toHaveURL(/\/w\/[^/?]+$/);
  await expect(page.getByRole('button', { name: t('wall.newSession') }).first()).toBeVisible();
}

test('[AU2][UI] by keyboard alone: an admin invites, somebody joins by the link, and a copied address leads them back after sign-in', async ({
  product,
  person,
  windows,
  stranger,
  serve,
  t,
}) => {
  const words = (key: 'email' | 'name' | 'password' | 'signIn') => t(`account.${key}`);
  const session = await product.session(serve('<p>ok'), 'For newcomers');
  await person.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await person.goto(`${product.origin}/settings/people`);
  await press(person, person.getByRole('button', { name: t('settings.people.invite'), exact: true }));
  const dialog = person.getByRole('dialog');
  await press(person, dialog.getByRole('button', { name: t('settings.people.inviteDialog.make') }));
  await press(person, dialog.getByRole('button', { name: t('common.copy'), exact: true }));
  await expect(dialog.getByRole('button', { name: t('common.copied') })).toBeVisible();
  const link = await person.evaluate(() => navigator.clipboard.readText());
  await press(person, dialog.getByRole('button', { name: t('settings.people.inviteDialog.done') }));

  const ana = await stranger();
  await ana.goto(link);
  await expect(ana.getByRole('heading', { level: 1 })).toContainText('Home');
  expect(ana.url()).toBe(`${product.origin}/invitation`);
  await expect(ana.getByRole('link', { name: t('account.invitation.haveLink') })).toHaveAttribute(
    'href',
    '/sign-in?to=%2Finvitation',
  );
  await ana.reload();
  await expect(ana.getByRole('textbox', { name: words('name') })).toBeFocused();
  await ana.keyboard.type('Ana');
  await type(ana, ana.getByRole('textbox', { name: words('email') }), 'ana@garden.example');
  await type(ana, ana.getByRole('textbox', { name: t('account.newPassword.label') }), PASSWORD);
  await press(ana, ana.getByRole('button', { name: t('account.invitation.accept') }));
  await expectWall(ana, t);
  await expect(ana.getByRole('article').filter({ hasText: 'For newcomers' })).toBeVisible();

  await ana.goto(`${product.origin}/settings/account`);
  await press(ana, ana.getByRole('button', { name: t('account.page.signIns.signOut'), exact: true }));
  await expect(ana).toHaveURL(/\/sign-in/);
  await ana.goto(`${product.origin}/sessions/${session}`);
  await expect(ana.getByRole('textbox', { name: words('email') })).toBeFocused();
  await ana.keyboard.type('ana@garden.example');
  await type(ana, ana.getByRole('textbox', { name: words('password'), exact: true }), PASSWORD);
  await ana.keyboard.press('Enter');
  await expect(ana.getByRole('contentinfo', { name: t('cockpit.lease.label') })).toBeVisible();
  await expect(ana).toHaveURL(new RegExp(`/sessions/${session}$`));

  await ana.goto(await invitationLink(product, windows, 'member'));
  await expect(ana.getByRole('button', { name: t('account.invitation.join', { name: 'Ana' }) })).toBeVisible();

  await person.reload();
  await expect(person.getByRole('region', { name: t('settings.people.members') })).toContainText('ana@garden.example');
  const late = await stranger();
  for (const used of [link, `${product.origin}/invitation#never-made`, `${product.origin}/invitation`]) {
    await late.goto('about:blank');
    await late.goto(used);
    await expect(late.getByRole('heading', { name: t('account.invitation.dead') })).toBeVisible();
  }
});

test('[AU2] somebody of the domain comes by the provider as a member and signs out; others are told to ask; an account is connected and disconnected', async ({
  product,
  provider,
  stranger,
  member,
  t,
}) => {
  const { host } = new URL(provider.issuer);
  const by = t('account.byProvider', { name: host });
  const ben = await stranger();
  provider.person = { sub: 'ben', email: `ben@${DOMAIN}`, email_verified: true, name: 'Ben' };
  await ben.goto(`${product.origin}/sign-in`);
  await ben.getByRole('button', { name: by }).click();
  await expectWall(ben, t);
  await ben.goto(`${product.origin}/settings/account`);
  await expect(ben.getByRole('textbox', { name: t('account.name') })).toHaveValue('Ben');
  await expect(ben.getByText(t('account.page.provider.connected'), { exact: true })).toBeVisible();
  await signOut(ben, t);

  provider.person = { sub: 'eve', email: 'eve@elsewhere.example', email_verified: true, name: 'Eve' };
  const eve = await stranger();
  await eve.goto(`${product.origin}/sign-in`);
  await eve.getByRole('button', { name: by }).click();
  await expect(eve.getByText(t('account.oidcFailed.FORBIDDEN'))).toBeVisible();
  provider.tamper = (path, body) => (path === '/token' ? { error: 'server_error' } : body);
  await eve.getByRole('button', { name: by }).click();
  await expect(eve.getByText(t('account.oidcFailed.UNSUPPORTED'))).toBeVisible();
  provider.tamper = (_path, body) => body;

  const dan = await member({ name: 'Dan', email: 'dan@elsewhere.example', password: PASSWORD });
  provider.person = { sub: 'dan', email: 'dan@elsewhere.example', email_verified: true, name: 'Dan' };
  await dan.goto(`${product.origin}/settings/account`);
  const section = dan.getByRole('region', { name: t('account.page.provider.title', { name: host }) });
  await section.getByRole('textbox').fill(PASSWORD);
  await section.getByRole('button').click();
  await expect(section.getByText(t('account.page.provider.connected'), { exact: true })).toBeVisible();
});

test('[AU2] a second factor is set up, lost and recovered: codes and recovery codes work once, an admin resets it, the log tells; a passkey signs in', async ({
  product,
  person,
  member,
  t,
}) => {
  const factor = (key: 'codesFile' | 'codesSaved') => t(`account.page.factor.${key}`);
  const origin = product.origin.replace('127.0.0.1', 'localhost');
  const email = 'cleo@garden.example';
  const cleo = await member({ name: 'Cleo', email, password: PASSWORD });
  await cleo.goto(`${origin}/settings/account`);
  await signIn(cleo, t, email);

  const secret = await setUpCodes(cleo, t);
  const dialog = cleo.getByRole('dialog');
  const saving = cleo.waitForEvent('download');
  await dialog.getByRole('button', { name: factor('codesFile') }).click();
  const codes = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\n');
  await dialog.getByRole('button', { name: factor('codesSaved') }).click();
  await expect(cleo.getByText(t('account.page.factor.left', { n: codes.length }))).toBeVisible();
  await signOut(cleo, t);

  const code = cleo.getByRole('textbox', { name: t('account.factor.code.label') });
  const enter = cleo.getByRole('button', { name: t('account.signIn'), exact: true });
  await signIn(cleo, t, email);
  await code.fill(totp(secret, 1));
  await enter.click();
  await expectWall(cleo, t);
  await cleo.goto(`${origin}/settings/account`);
  await signOut(cleo, t);
  const recovery = cleo.getByRole('textbox', { name: t('account.factor.recovery.label') });
  for (const works of [true, false]) {
    await signIn(cleo, t, email);
    await cleo.getByRole('button', { name: t('account.factor.code.other') }).click();
    await recovery.fill(codes[0] ?? '');
    await enter.click();
    if (!works) break;
    await expectWall(cleo, t);
    await cleo.goto(`${origin}/settings/account`);
    await signOut(cleo, t);
  }
  await expect(cleo.getByText(t('account.wrong.recovery'))).toBeVisible();

  await person.goto(`${product.origin}/settings/people`);
  await person.getByRole('button', { name: t('settings.people.actions', { name: 'Cleo' }) }).click();
  await person.getByRole('menuitem', { name: t('settings.people.resetFactor') }).click();
  await person.getByRole('button', { name: t('settings.people.factorDialog.action') }).click();
  await expect(person.getByText(t('settings.people.factorDialog.done', { name: 'Cleo' }))).toBeVisible();
  await person.goto(`${product.origin}/settings/log`);
  const row = person.getByRole('listitem').filter({ hasText: t('said.secondFactorReset', { name: 'Cleo' }) });
  await expect(row).toBeVisible();
  const exported = person.waitForEvent('download');
  await person.getByRole('button', { name: 'CSV' }).click();
  expect(readFileSync(await (await exported).path(), 'utf8')).toContain(
    wordsIn('en')('said.secondFactorReset', { name: 'Cleo' }),
  );

  await cleo.goto(`${origin}/sign-in?to=/settings/account`);
  await signIn(cleo, t, email);
  const authenticator = await cleo.context().newCDPSession(cleo);
  await authenticator.send('WebAuthn.enable');
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await cleo.getByRole('button', { name: t('account.page.passkeys.add') }).click();
  await dialog.getByRole('textbox', { name: t('account.page.passkeys.name') }).fill('My laptop');
  await dialog.getByRole('textbox', { name: t('account.currentPassword') }).fill(PASSWORD);
  await dialog.getByRole('button', { name: t('account.page.passkeys.addDo') }).click();
  await expect(cleo.getByRole('region', { name: t('account.page.passkeys.title') })).toContainText('My laptop');
  await signOut(cleo, t);
  await cleo.getByRole('button', { name: t('account.byPasskey') }).click();
  await expectWall(cleo, t);
});

test('[AU2][AU6] the owner makes a workspace that requires a second factor; a member without one sets it up, comes in, and switches back', async ({
  product,
  person,
  windows,
  member,
  t,
}) => {
  const { origin } = product;
  const switcher = (page: Page, name: string) =>
    page.getByRole('button', { name: t('shell.workspaces.label', { name }), exact: true });
  await person.goto(origin);
  await switcher(person, 'Home').click();
  await person.getByRole('option', { name: t('shell.workspaces.new') }).click();
  await person.getByRole('dialog').getByRole('textbox').fill('Locked');
  await person.keyboard.press('Enter');
  await expect(switcher(person, 'Locked')).toBeVisible();
  const id = new URL(person.url()).pathname.slice('/w/'.length);
  await person.goto(`${origin}/w/${id}/settings/workspace`);
  await person.getByRole('checkbox', { name: t('settings.workspace.secondFactor.label') }).check();
  await person.getByRole('button', { name: t('settings.workspace.save'), exact: true }).click();
  await expect(person.getByRole('button', { name: t('settings.workspace.save'), exact: true })).toHaveCount(0);

  const fay = await member({ name: 'Fay', email: 'fay@garden.example', password: PASSWORD });
  await fay.goto(await invitationLink(product, windows, 'member', id));
  await fay.getByRole('button', { name: t('account.invitation.join', { name: 'Fay' }) }).click();
  await expect(fay.getByRole('heading', { level: 1 })).toHaveText(t('rights.needed.heading', { name: 'Locked' }));
  await fay.getByRole('link', { name: t('rights.needed.cure') }).click();
  await setUpCodes(fay, t);
  await fay.getByRole('button', { name: t('account.page.factor.codesSaved') }).click();
  await fay.getByRole('link', { name: t('rights.account.open', { name: 'Locked' }) }).click();
  await expectWall(fay, t);
  await switcher(fay, 'Locked').click();
  await fay.getByRole('option', { name: 'Home' }).click();
  await expect(switcher(fay, 'Home')).toBeVisible();
  await expectWall(fay, t);
});

test('[AU3][CO4] a role is lowered while its person drives: their hand on the page stops, and the cockpit says so', async ({
  product,
  person,
  serve,
  member,
  t,
}) => {
  const id = await product.session(serve(WRITES), 'Shared');
  const dora = await member({ name: 'Dora' });
  await dora.goto(`${product.origin}/sessions/${id}`);
  const bar = dora.getByRole('contentinfo', { name: t('cockpit.lease.label') });
  await bar.getByRole('button', { name: t('cockpit.lease.take') }).click();
  await expect(bar).toContainText(t('cockpit.lease.youHave'));
  await dora.locator('#page-field').focus();
  await dora.keyboard.type('driven');
  await expect(dora.getByRole('tab', { name: 'driven' })).toBeVisible();
  await person.goto(`${product.origin}/settings/people`);
  await person.getByRole('combobox', { name: t('settings.people.roleOf', { name: 'Dora' }) }).click();
  await person.getByRole('option', { name: t('settings.people.role.viewer') }).click();
  await expect(
    person.getByText(t('settings.people.roleChanged', { name: 'Dora', role: t('settings.people.role.viewer') })),
  ).toBeVisible();
  await expect(bar).toContainText(t('cockpit.lease.onlyWatch'));
  await expect(dora.getByText(t('rights.watch.takenRole', { role: t('personRole.viewer') }))).toBeVisible();
  await expect(bar).toContainText(t('cockpit.lease.free'));
  await expect(bar.getByRole('button', { name: t('cockpit.lease.take') })).toHaveCount(0);
  await dora.locator('#page-field').focus();
  await dora.keyboard.type(' no more');
  await expect(dora.getByRole('dialog')).toHaveCount(0);
  expect(textField(await product.act(id, { kind: 'evaluate', fn: 'document.title' }), 'value')).toBe('driven');
  await dora.goto(`${product.origin}/settings/people`);
  await expect(dora.getByText(t('rights.hidden.people', { name: 'Home' }))).toBeVisible();
});

import { devices, type Browser, type Locator, type Page } from '@playwright/test';
import { z } from 'zod';
import type { Locale } from '@/components/messages/locale';
import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import type { Look } from './support/look';
import { test } from './support/people';
import { expect, textField, type ProductFixture } from './support/product';
import { wordsIn } from './support/words';

async function switchLanguage(page: Page, from: Locale, to: Locale): Promise<void> {
  await page.getByRole('button', { name: wordsIn(from)('shell.settings') }).tap();
  await page.locator(`[role=menuitemradio][lang=${to}]`).tap();
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${to}`));
}

/** A guest is out within a second of the end of their link (T9); the rest is for a slow machine. */
const OUT_MS = 5_000;

test.describe('a share link', () => {
  test('[AU4][T9] is shared with a phone, which watches, is given the wheel, gives it back, and is out when the link is ended', async ({
    product,
    person,
    browser,
    look,
    serve,
    t,
  }) => {
    const id = await product.session(serve('<h1>Glaze</h1><input aria-label="Code">'), 'Kiln');
    await person.goto(`${product.origin}/sessions/${id}`);
    await person.getByRole('button', { name: t('share.share'), exact: true }).click();
    const dialog = person.getByRole('dialog');
    await expect(dialog.getByRole('note')).toContainText('PUBLIC_URL');
    await dialog.getByRole('button', { name: t('share.make') }).click();
    await expect(dialog.getByRole('img', { name: t('share.qr') })).toBeVisible();
    const address = (await dialog.locator('code').textContent()) ?? '';
    const secret = new URL(address).hash.slice(1);

    const guest = await phonePage(browser, look);
    const sent: string[] = [];
    guest.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''));
    await guest.goto(address);
    await expect(guest.locator('canvas').first()).toBeVisible();
    const banner = guest.getByRole('banner', { name: t('guest.bar') });
    await expect(banner).toContainText(t('guest.what.watch'));
    expect(`${guest.url()} ${await guest.title()} ${sent.join(' ')}`).not.toContain(secret);
    await expect(guest.getByRole('button', { name: t('cockpit.lease.take') })).toHaveCount(0);
    await rename(guest, t('guest.name.change', { name: 'Guest: 1' }), t('guest.name.save'), 'Mia');
    await expect(dialog.getByRole('list', { name: t('share.used', { n: 1 }) })).toContainText('Guest: Mia');
    // Next's router writes the address that it knows when the language changes.
    const other = look.locale === 'en' ? 'zh' : 'en';
    await switchLanguage(guest, look.locale, other);
    expect(guest.url()).not.toContain(secret);
    await switchLanguage(guest, other, look.locale);

    await dialog.getByRole('button', { name: new RegExp(t('share.changeOne', { what: '.+' })) }).click();
    await person.getByRole('radio', { name: t('share.drive') }).check();
    await person.getByRole('button', { name: t('share.save') }).click();
    await guest.getByRole('button', { name: t('cockpit.lease.take') }).tap();
    const back = guest.getByRole('button', { name: t('cockpit.lease.handBack') });
    await expect(back).toBeVisible();
    expect(await control(product, id)).toMatchObject({ holder: { name: 'Guest: Mia', kind: 'human' } });
    await back.tap();
    await expect(guest.getByRole('button', { name: t('cockpit.lease.take') })).toBeVisible();

    await dialog.getByRole('button', { name: new RegExp(t('share.endOne', { what: '.+' })) }).click();
    await expect(guest.getByRole('heading', { name: t('guest.over.revoked.heading') })).toBeVisible({
      timeout: OUT_MS,
    });
    await expect(guest.locator('canvas')).toHaveCount(0);
    await guest.reload();
    await expect(guest.getByRole('heading', { name: t('guest.over.revoked.heading') })).toBeVisible();
    await guest.context().close();
  });
});

test('[TL3] a person comments on a place of the page, and the agent acts on the element there and answers', async ({
  product,
  person,
  serve,
  t,
}) => {
  const page = serve('<button style="position:fixed;inset:0" onclick="this.textContent=`Sold`">Buy</button>');
  const id = await product.session(page, 'Kiln');
  await person.goto(`${product.origin}/sessions/${id}`);
  await expect(person.locator('canvas').first()).toBeVisible();
  await expect(person.getByText(t('cockpit.page.waiting'))).toHaveCount(0);
  await person.getByRole('button', { name: t('talk.tool') }).click();
  await expect(person.getByRole('application', { name: t('talk.drawKeys') })).toBeFocused();
  const { x = 0, y = 0, width = 0, height = 0 } = (await person.locator('#page-picture').boundingBox()) ?? {};
  await person.mouse.click(x + width / 2, y + height / 2);
  const form = person.getByRole('dialog', { name: t('talk.box') });
  await expect(form).toContainText('Buy');
  await form.getByRole('textbox').fill('Press this one');
  await form.getByRole('button', { name: t('talk.send') }).click();
  await expect(form).toHaveCount(0);
  const mark = person.locator('[data-mark]');
  await expect(mark).toHaveText('1');

  const { comments } = commentsIn(await product.act(id, { kind: 'snapshot' }));
  expect(comments).toMatchObject([{ text: 'Press this one', role: 'button', name: 'Buy' }]);
  const ref = textField(comments?.[0], 'ref');
  expect(commentsIn(await product.act(id, { kind: 'click', ref })).comments).toBeUndefined();
  const answer = { text: 'It says Sold now', reply: textField(comments?.[0], 'id') };
  await product.api('POST', `/api/v1/sessions/${id}/tabs/active/comments`, answer);

  await mark.click();
  const thread = person
    .getByRole('region', { name: t('talk.list') })
    .getByRole('listitem')
    .first();
  await expect(thread).toContainText('story-bot');
  await expect(thread).toContainText('It says Sold now');
  await thread.getByRole('button', { name: t('talk.resolve') }).click();
  await expect(mark).toHaveCount(0);
});

function commentsIn(reply: unknown): { comments?: unknown[] } {
  return z.object({ comments: z.array(z.unknown()).optional() }).parse(reply);
}

test.describe('people together', () => {
  // On a phone the others are a number that opens the panel.
  test.use({ sizes: ['desk', 'tablet'] });
  const sockets: Client[] = [];
  const phones: Page[] = [];
  test.afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.disconnect();
    for (const phone of phones.splice(0)) await phone.context().close();
  });

  test('[AU5][CO4] two people and a guest pass the wheel, one follows the other across tabs and sees their pointer, and ten are in one session', async ({
    product,
    person,
    member,
    browser,
    look,
    serve,
    t,
  }) => {
    const id = await product.session(serve('<h1>Glaze</h1>'), 'Kiln');
    await product.act(id, { kind: 'tab', do: 'open', url: serve(`<script>document.title = 'Ashes'</script>`) });
    await product.api('POST', `/api/v1/sessions/${id}/tabs/active/control`, { do: 'release' });
    const ana = await member({ name: 'Ana' });
    const guest = await phonePage(browser, look);
    phones.push(guest);
    const cockpit = `${product.origin}/sessions/${id}`;
    const link = await linkOf(product, person, id);
    await Promise.all([person.goto(cockpit), ana.goto(cockpit), guest.goto(link)]);
    await expect(guest.getByRole('banner')).toContainText(t('guest.by', { by: 'Owner' }));
    const bar = (page: Page) => page.getByRole('contentinfo', { name: t('cockpit.lease.label') });
    const other = (page: Page, name: string, is: 'drives' | 'hand' | 'may-drive') =>
      page.getByRole('button', {
        name: new RegExp(`^${t('cockpit.presence.person', { name, is: t(`cockpit.presence.standing.${is}`) })}`),
      });

    await bar(ana)
      .getByRole('button', { name: t('cockpit.lease.take') })
      .click();
    await expect(other(person, 'Ana', 'drives')).toBeVisible();
    await guest.getByRole('button', { name: t('cockpit.presence.raise') }).tap();
    await expect(other(person, 'Guest: 1', 'hand')).toBeVisible();
    await expect(bar(ana)).toContainText(t('cockpit.presence.handUp', { name: 'Guest: 1', n: 0 }));
    await bar(ana)
      .getByRole('button', { name: t('cockpit.lease.give'), exact: true })
      .click();
    await expect(bar(guest).getByText(t('cockpit.lease.youHave'), { exact: true })).toHaveCount(1);

    await other(person, 'Guest: 1', 'drives').click();
    await person.getByRole('menuitem', { name: t('cockpit.lease.ask') }).click();
    await expect(bar(ana)).toContainText(t('cockpit.presence.passesOther', { name: 'Owner', holder: 'Guest: 1' }));
    await bar(guest)
      .getByRole('button', { name: t('cockpit.lease.give'), exact: true })
      .tap();
    await other(person, 'Ana', 'may-drive').click();
    await person.getByRole('menuitem', { name: t('cockpit.presence.hand') }).click();

    await other(person, 'Ana', 'drives').click();
    await person.getByRole('menuitem', { name: t('cockpit.presence.follow') }).click();
    for (const title of ['Plain', 'Ashes']) {
      await ana.getByRole('tab', { name: title }).click();
      await expect(person.getByRole('tab', { name: title, selected: true })).toBeVisible();
    }
    const following = person.getByRole('region', { name: t('cockpit.presence.following', { name: 'Ana' }) });
    await following.getByRole('button', { name: t('cockpit.presence.stop') }).click();
    await expect(following).toHaveCount(0);
    const picture = person.locator('#page-picture');
    await picture.hover({ position: { x: 60, y: 60 } });
    await picture.hover({ position: { x: 80, y: 70 } });
    await expect(ana.locator('[data-cursor]').getByText('Owner')).toBeVisible();
    await guest.getByRole('tab', { name: 'Ashes' }).tap();
    await expect(guest.getByRole('tab', { name: 'Ashes', selected: true })).toBeVisible();
    await expect(guest.getByText(t('cockpit.page.waiting'))).toHaveCount(0);
    await movesFinger(guest, guest.locator('#page-picture'));
    await expect(ana.locator('[data-cursor]').getByText('Guest: 1')).toBeVisible();
    await expect(guest.getByRole('dialog')).toHaveCount(0);

    sockets.push(...(await Promise.all(Array.from({ length: 7 }, () => visit(link, id)))));
    await person.getByRole('button', { name: t('cockpit.presence.all') }).click();
    const panel = person.getByRole('region', { name: t('cockpit.people.list') });
    const guests = sockets.map((_, place) => `Guest: ${place + 2}`);
    for (const name of [t('common.you'), 'Ana', 'Guest: 1', ...guests])
      await expect(panel.getByText(name, { exact: true })).toBeVisible();
  });
});

/** A page on the phone of somebody without an account. */
async function phonePage(browser: Browser, { theme, locale }: Look): Promise<Page> {
  const phone = await browser.newContext({
    ...devices['Desktop Chrome'],
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    ...{ colorScheme: theme, locale: locale === 'zh' ? 'zh-CN' : 'en-US' },
  });
  return phone.newPage();
}

async function movesFinger(page: Page, over: Locator): Promise<void> {
  const { x = 0, y = 0 } = (await over.boundingBox()) ?? {};
  const screen = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x: x + 40, y: y + 40 });
  for (const moved of [60, 80, 100]) await touch('touchMove', { x: x + moved, y: y + 60 });
  await touch('touchEnd');
}

/** The address of a link to watch and drive, made by this person. */
async function linkOf({ origin }: ProductFixture, { request }: Page, session: string): Promise<string> {
  const made = await request.post(`${origin}/api/v1/sessions/${session}/links`, {
    headers: { origin },
    data: { grants: ['watch', 'drive'] },
  });
  return textField(await made.json(), 'url');
}

/** The connection of a guest who watches without a page. */
async function visit(address: string, session: string): Promise<Client> {
  const { origin, pathname, hash } = new URL(address);
  const link = pathname.split('/').at(-1) ?? '';
  const opened = await fetch(`${origin}/api/v1/links/${link}/open`, {
    method: 'POST',
    headers: { origin, 'x-link': link, 'content-type': 'application/json' },
    body: JSON.stringify({ secret: hash.slice(1) }),
  });
  const cookie = opened.headers.getSetCookie().map((one) => one.split(';')[0]);
  const client = connectClient(origin, { headers: { origin, cookie: cookie.join('; ') }, auth: { link } });
  expect(await ask(client, 'session.join', { session })).toMatchObject({ ok: true });
  return client;
}

async function rename(guest: Page, button: string, save: string, name: string): Promise<void> {
  await guest.getByRole('button', { name: button }).tap();
  await guest.getByRole('dialog').getByRole('textbox').fill(name);
  await guest.getByRole('dialog').getByRole('button', { name: save }).tap();
  await expect(guest.getByRole('dialog')).toHaveCount(0);
}

async function control(
  product: { api: (method: string, route: string) => Promise<unknown> },
  session: string,
): Promise<unknown> {
  return product.api('GET', `/api/v1/sessions/${session}/tabs/active/control`);
}

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { apiServer } from '@/components/testing/api-server';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { LinkView } from '@/lib/links/link-view';
import { ShareDialog } from './share-dialog';

const { answer, waiting } = apiServer();
afterEach(cleanup);

const ALL = ['watch', 'drive', 'files', 'clipboard', 'share'];
const LINKS = '/sessions/s1/links';
const URL_OF_LINK = 'https://wheel.example/s/sh_1#secret-of-it';
const LINK: LinkView = {
  ...{ session: 's_1', by: 'p_1' },
  ...{ id: 'sh_1', tab: null, grants: ['watch'], maxViewers: null, password: false, wrong: 0, uses: [] },
  ...{ createdAt: '2026-11-23T08:00:00.000Z', expiresAt: '2026-11-23T09:00:00.000Z', ended: null },
};

function show(grants = ALL, locale: Locale = 'en') {
  render(
    <MessagesProvider locale={locale}>
      <TooltipProvider>
        <ShareDialog session={{ id: 's1', name: 'Kiln' }} tab="t1" grants={grants} onClose={() => undefined} />
      </TooltipProvider>
    </MessagesProvider>,
  );
}
const list = (links: readonly LinkView[], reach = 'everywhere') =>
  act(async () => void (await answer(`GET ${LINKS}`, 200, { reach, links })));
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const made = (link: object) => act(async () => answer(`POST ${LINKS}`, 201, { ...LINK, ...link, url: URL_OF_LINK }));

it('[AU4] one press makes a link to watch for an hour; its address is there to copy and as a QR code', async () => {
  show();
  await list([]);
  await press('Make the link');
  const { body } = await made({});

  expect(body).toEqual({ grants: ['watch'], expiresIn: 3_600 });
  expect((await screen.findByText(URL_OF_LINK)).tagName).toBe('CODE');
  expect(screen.getByRole('img', { name: 'QR code of the link' })).toBeTruthy();
  await list([LINK]);
  expect((await screen.findByRole('region', { name: 'Links of this session' })).textContent).toContain('Nobody has');
  await press('Make another');
  expect(screen.queryByText(URL_OF_LINK)).toBeNull();
});

it('[AU4] an address whose link has ended meanwhile is not shown any more', async () => {
  show();
  await list([LINK]);
  await press('Make the link');
  await made({});
  await screen.findByText(URL_OF_LINK);
  await list([LINK]);
  await press('End the link: May watch');
  await act(async () => void (await answer(`DELETE ${LINKS}/sh_1`, 200, { id: 'sh_1', revoked: true })));
  await list([{ ...LINK, ended: { at: LINK.createdAt, why: 'revoked' } }]);

  await screen.findByRole('button', { name: 'Make the link' });
  expect(screen.queryByText(URL_OF_LINK)).toBeNull();
  expect(screen.getByText('1 link has ended')).toBeTruthy();
});

it('[AU4] a link gives no more than its maker has: the dialog does not offer it', async () => {
  show(['watch', 'share']);
  await list([]);

  expect(screen.getAllByRole('radio').map((one) => (one instanceof HTMLInputElement ? one.value : ''))).toHaveLength(3);
  expect(screen.queryByRole('radio', { name: 'Watch and drive' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Use the files of the session' }).disabled).toBe(true);
});

it.each([
  ['en', 'Only this computer can open these links', /HOST and PUBLIC_URL/],
  ['zh', '只有这台计算机能打开这些链接', /HOST 和 PUBLIC_URL/],
] as const)(
  '[AU4] says in %s that only this computer opens the links of a loopback server, with the cure',
  async (...of) => {
    const [locale, title, cure] = of;
    show(ALL, locale);
    await list([], 'this-computer');
    const { textContent } = await screen.findByRole('note');
    expect(textContent).toContain(title);
    expect(textContent).toMatch(cure);
  },
);

it('[AU4] shows who used a link, roughly from where, who is here, and wrong tries; a refusal says why', async () => {
  show();
  const use = { guest: 'g_1', name: 'Mia', address: '203.0.113.x', firstAt: LINK.createdAt, lastAt: LINK.createdAt };
  const uses = [
    { ...use, here: true },
    { ...use, guest: 'g_2', name: '<b>2</b>', here: false },
  ];
  await list([{ ...LINK, maxViewers: 4, password: true, wrong: 2, uses }]);
  const all = within(await screen.findByRole('region', { name: 'Links of this session' }));
  const said = all.getByRole('list', { name: 'Opened by 2 guests' }).textContent;

  expect(said).toMatch(/^Guest: <b>2<\/b>203\.0\.113\.x.*Guest: Mia203\.0\.113\.xhere now$/);
  expect(all.getByText(/passcode · 1 of 4 here now/)).toBeTruthy();
  expect(all.getByText('2 wrong secrets or passcodes were tried')).toBeTruthy();
  await press('Make the link');
  const error = { code: 'QUOTA', message: 'This session has 50 links already.', hint: 'End one first.', retry: 'no' };
  await act(async () => void (await answer(`POST ${LINKS}`, 429, { error })));
  expect((await screen.findByRole('alert')).textContent).toContain('This session has 50 links already.');
});

it('[AU4] a list that comes slower than the dialog looks for it is shown all the same', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    show();
    await act(async () => vi.advanceTimersByTime(10_000));
    await list([LINK]);
    await screen.findByRole('region', { name: 'Links of this session' });
    await act(async () => vi.advanceTimersByTime(3_000));
    await vi.waitFor(() => expect(waiting()).toEqual([`GET ${LINKS}`]), { timeout: 20_000 });
  } finally {
    vi.useRealTimers();
  }
});

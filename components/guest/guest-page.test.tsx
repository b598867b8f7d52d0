// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { guestEn } from '@/components/messages/en-guest';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { guestZh } from '@/components/messages/zh-guest';
import {
  SessionClientProvider,
  useClientParts,
  type ClientParts,
} from '@/components/session-client/session-client-provider';
import { CockpitProvider } from '@/components/cockpit/cockpit-context';
import { apiServer } from '@/components/testing/api-server';
import { aCockpit } from '@/components/testing/cockpit';
import { aSession } from '@/components/testing/views';
import { windowIs } from '@/components/testing/window-kind';
import { TooltipProvider } from '@/components/ui/tooltip';
import { linkRefusalSchema, type LinkRefusal } from '@/lib/links/link-terms';
import { GuestBar } from './guest-bar';
import { GuestPage } from './guest-page';

const { answer } = apiServer();
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const OPEN = 'POST /links/sh_1/open';
const refusal = (reason: LinkRefusal) => ({
  error: { code: 'UNAUTHENTICATED', message: 'No.', hint: '', retry: 'no', details: { reason } },
});

/** Opens the page at an address. */
function visit(hash: string, locale: Locale = 'en'): () => ClientParts | undefined {
  window.history.replaceState(null, '', `/s/sh_1${hash}`);
  let parts: ClientParts | undefined;
  function Page() {
    const here = useClientParts();
    useEffect(() => {
      parts = here;
    }, [here]);
    return <GuestPage link="sh_1" />;
  }
  render(
    <PathnameContext.Provider value="/s/sh_1">
      <MessagesProvider locale={locale}>
        <TooltipProvider>
          <SessionClientProvider>
            <Page />
          </SessionClientProvider>
        </TooltipProvider>
      </MessagesProvider>
    </PathnameContext.Provider>,
  );
  return () => parts;
}
const answered = (status: number, body: unknown) => act(async () => answer(OPEN, status, body));
const heading = async (name: string) => (await screen.findByRole('heading', { name })).textContent;

it('[T7][AU4] the secret leaves the address before anything is sent, and goes in the body alone', async () => {
  localStorage.setItem('wh-guest-name', 'Owner');
  visit('#secret-of-it');
  const after = window.location.href;
  const { body, headers } = await answered(401, refusal('revoked'));

  expect(after).not.toContain('secret');
  expect(body).toEqual({ secret: 'secret-of-it' });
  expect(headers).toMatchObject({ 'x-link': 'sh_1' });
  expect(headers.referer ?? '').not.toContain('secret');
  expect(document.title).not.toContain('secret');
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('secret');
});

it('[AU4] after a reload the cookie opens the link, under the name that the guest picked in this browser', async () => {
  localStorage.setItem('wh-guest-name', 'Mia');
  visit('');
  expect((await answered(401, refusal('unknown'))).body).toEqual({ name: 'Mia' });
  await heading('This address opens nothing');
  // Somebody pastes the whole address into the same tab.
  window.location.hash = '#whole';
  expect((await answered(401, refusal('expired'))).body).toEqual({ secret: 'whole', name: 'Mia' });
  await heading('The time of this link is over');
  expect(window.location.hash).toBe('');
});

it('[AU4] asks for the passcode, says that one was wrong, and opens with the right one', async () => {
  visit('#secret');
  await answered(401, refusal('passcode'));
  const field = await screen.findByLabelText('Passcode');
  const send = (value: string) =>
    act(async () => {
      fireEvent.change(field, { target: { value } });
      fireEvent.click(screen.getByRole('button', { name: 'Open' }));
    });
  await send('mil');
  expect((await answered(401, refusal('passcode'))).body).toEqual({ secret: 'secret', password: 'mil' });
  expect((await screen.findByRole('alert')).textContent).toBe('That is not the passcode of this link.');
  await send('mill');
  const limited = { error: { code: 'RATE_LIMITED', message: 'Too many.', hint: '', retry: 'later' } };
  await answered(429, limited);
  expect((await screen.findByRole('alert')).textContent).toContain('a quarter of an hour');
});

const OVER = { en: guestEn.over, zh: guestZh.over };

it('[T9][AU4] every reason why a link is over has texts of its own', () => {
  for (const texts of Object.values(OVER)) {
    const all = Object.values(texts).flatMap(({ heading: title, lead }) => [title, lead]);
    expect(new Set(all).size).toBe(all.length);
  }
});

it.each(linkRefusalSchema.options.filter((why) => why !== 'passcode'))(
  '[T9][AU4] says in both languages that a link is over: %s',
  async (why) => {
    for (const locale of ['en', 'zh'] as const) {
      const { heading: title, lead } = OVER[locale][why];
      visit('#secret', locale);
      await answered(401, refusal(why));
      await heading(title);
      expect(screen.getByText(lead)).toBeTruthy();
      expect(screen.queryAllByRole('link')).toEqual([]);
      cleanup();
    }
  },
);

it('[AU4] a full link can be tried again, and so can a server that was not there', async () => {
  visit('#secret');
  await answered(429, { error: { ...refusal('full').error, code: 'QUOTA' } });
  await heading('As many people watch as this link allows');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await answered(503, { error: { code: 'STORE_BUSY', message: 'Later.', hint: '', retry: 'later' } });
  await heading('The link could not be opened');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await answered(401, refusal('session'))).body).toEqual({ secret: 'secret' });
  await heading('What was shared has ended');
});

it('[T9] a link that ends while its guest watches takes the page away, and says why', async () => {
  const parts = visit('#secret');
  const before = parts()?.store.getState().connection;
  await answered(200, { session: 's1', grants: ['watch'], expiresAt: '', guest: { id: 'g_1', name: '1' } });
  await waitFor(() => expect(parts()?.store.getState().connection).not.toBe(before));
  // No server takes the connection of this page.
  parts()?.client.stop();
  act(() => parts()?.store.setState({ connection: { state: 'link-over', why: 'revoked' } }));
  await heading('This link has been ended');
});

it.each([
  ['a time', 11, /^Until \d+:\d+.[AP]M$/],
  ['a date and a time', 13, /^Until \w{3} \d+, \d{4}, \d+:\d+.[AP]M$/],
])('[AU4] the banner says until when: %s for an end in %i hours', (_, hours, words) => {
  windowIs('desk');
  const expiresAt = new Date(Date.now() + hours * 3_600_000).toISOString();
  const offer = { id: 'sh_1', session: 's1', tab: null, grants: ['watch' as const], expiresAt, by: 'Ana' };
  render(
    <PathnameContext.Provider value="/s/sh_1">
      <MessagesProvider locale="en">
        <TooltipProvider>
          <SessionClientProvider>
            <CockpitProvider value={aCockpit(aSession())}>
              <GuestBar
                session="Kiln"
                offer={offer}
                grants={['watch']}
                you={undefined}
                onRename={async () => undefined}
                onLeave={() => undefined}
              />
            </CockpitProvider>
          </SessionClientProvider>
        </TooltipProvider>
      </MessagesProvider>
    </PathnameContext.Provider>,
  );
  expect(screen.getByText(/^Until/).textContent).toMatch(words);
});

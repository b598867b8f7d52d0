// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useToken } from './use-token';

beforeEach(() => {
  vi.resetModules();
  sessionStorage.clear();
});
afterEach(cleanup);

/** A page at this address; what it says is its token. */
async function openAt(address: string, use = useToken) {
  window.history.replaceState(null, '', address);
  const Page = () => <>{use() ?? 'unknown'}</>;
  const { container, unmount } = render(<Page />);
  await act(async () => undefined);
  return { said: () => container.textContent, unmount };
}

it('[AU2][T7] the token of a link leaves the address and its history at once, and stays for the page, a reload and a sign-in', async () => {
  const entries = window.history.length;
  const first = await openAt('/invitation?x=1#secret-1');
  const address = window.location.href;
  const again = await openAt('/invitation');
  const { useToken: afterReload } = await import('./use-token');
  const reloaded = await openAt('/invitation', afterReload);

  expect([first, again, reloaded].map(({ said }) => said())).toEqual(['secret-1', 'secret-1', 'secret-1']);
  expect([address, window.history.length]).toEqual([`${window.location.origin}/invitation?x=1`, entries]);
});

it('[AU2] another link in the same tab counts, one of another page does not, and none is none', async () => {
  const page = await openAt('/new-password#first');
  await act(async () => {
    window.location.hash = 'second';
    await vi.waitFor(() => expect(page.said()).toBe('second'));
  });
  const seen = [page.said(), window.location.hash];
  page.unmount();
  const other = await openAt('/invitation-of-another-kind');
  const none = other.said();
  other.unmount();
  const long = await openAt(`/too-long#${'x'.repeat(201)}`);

  expect([...seen, none, long.said()]).toEqual(['second', '', '', '']);
});

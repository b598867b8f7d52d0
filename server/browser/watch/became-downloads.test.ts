import { describe, expect, it } from 'vitest';
import { RingBuffer } from '@/lib/buffers/ring-buffer';
import { BecameDownloads } from './became-downloads';
import type { Request } from './request-facts';

const URL_A = 'https://shop.test/list.csv';
const ANSWERED: Request = {
  at: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  url: URL_A,
  type: 'document',
  state: 'pending',
  status: 200,
  fromCache: false,
  requestHeaders: [],
  responseHeaders: [],
  sentBody: false,
};
const ABORTED = { state: 'failed', failure: 'net::ERR_ABORTED' } as const;

function made(over: Partial<Request> = {}): {
  ring: RingBuffer<Request>;
  downloads: BecameDownloads;
  end: () => Request | undefined;
} {
  const ring = new RingBuffer<Request>({ keep: 10, perSecond: 10, latest: 0 });
  const downloads = new BecameDownloads(ring);
  const entry = ring.add(0, () => ({ ...ANSWERED, ...over }));
  const id = entry?.id ?? 0;
  return { ring, downloads, end: () => (ring.change(id, downloads.endOf(ring.get(id), ABORTED)), ring.get(id)) };
}

describe('a page that turned out to be a download', () => {
  it('[PS1] has not failed, whichever lane reports first', () => {
    const early = made();
    early.downloads.begun(URL_A);
    const late = made();
    late.end();
    late.downloads.begun(URL_A);

    expect(early.end()).toMatchObject({ state: 'done', failure: undefined, download: true });
    expect(late.ring.read({}).items).toMatchObject([{ state: 'done', failure: undefined, download: true }]);
  });

  it('[PS1] counts once: the next aborted request has failed', () => {
    const { ring, downloads, end } = made();
    downloads.begun(URL_A);
    end();
    const next = ring.add(0, () => ANSWERED);

    expect(downloads.endOf(next, ABORTED)).toEqual(ABORTED);
  });

  it.each([
    ['never answered', { status: undefined }],
    ['no page', { type: 'fetch' }],
    ['another address', { url: 'https://shop.test/' }],
  ])('[PS1] a page that was %s has failed', (_, over) => {
    const { downloads, end } = made(over);
    downloads.begun(URL_A);

    expect(end()).toMatchObject(ABORTED);
  });
});

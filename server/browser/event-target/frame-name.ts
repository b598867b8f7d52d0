import { maskAddresses } from '@/lib/text/mask';
import type { FrameView } from '../frames/tab-frames';
import type { Labels } from '../snapshot/labels';

/** What naming a frame needs of a tab. */
export interface NamingTab {
  readonly frames: { list(): readonly Pick<FrameView, 'frameId' | 'url'>[] };
  readonly snapshots: { readonly labels: Pick<Labels, 'of'> };
}

/** Characters of a part of an address that names a frame. */
const MOST = 200;

/**
 * How an action names a subframe: by the part of its address that no other frame has, which also holds on the same page
 * opened anew, else by its label in snapshots. Undefined for the page itself and for a frame that is gone.
 */
export function nameFrame({ frames, snapshots }: NamingTab, frameId: string): string | undefined {
  const inner = frames.list().slice(1);
  const frame = inner.find((one) => one.frameId === frameId);
  if (!frame) return undefined;
  const part = partsOf(frame.url).find(
    (one) =>
      one.length <= MOST && maskAddresses(one) === one && inner.filter(({ url }) => url.includes(one)).length === 1,
  );
  if (part !== undefined) return part;
  // All of them, so that they are numbered in the order of the page.
  return inner
    .map((one) => ({ ...one, label: snapshots.labels.of(one.frameId) }))
    .find((one) => one.frameId === frameId)?.label;
}

/** Without the query, which may say who is here: the path, with the host before it where that is not enough. */
function partsOf(url: string): string[] {
  if (!/^https?:/.test(url) || !URL.canParse(url)) return [];
  const { host, pathname } = new URL(url);
  return pathname === '/' ? [`${host}/`] : [pathname, `${host}${pathname}`];
}

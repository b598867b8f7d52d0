import { maskAddresses } from '@/lib/text/mask';
import type { FrameView } from '../frames/tab-frames';
import type { Labels } from '../snapshot/labels';

/** The parts of a tab that naming a frame needs. */
export interface NamingTab {
  readonly frames: { list(): readonly Pick<FrameView, 'frameId' | 'url'>[] };
  readonly snapshots: { readonly labels: Pick<Labels, 'of'> };
}

/** Most characters of an address part that names a frame. */
const MOST = 200;

/**
 * The name by which an action refers to a subframe: a part of its address that no other frame has, which also
 * identifies the frame when the page is opened again, else its label in snapshots. Undefined for the page itself and
 * for a frame that is gone.
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
  // Labels all frames, so that they are numbered in the order of the page.
  return inner
    .map((one) => ({ ...one, label: snapshots.labels.of(one.frameId) }))
    .find((one) => one.frameId === frameId)?.label;
}

/**
 * The path, with the host before it where the path alone is not enough. Never the query, which may identify a person.
 */
function partsOf(url: string): string[] {
  if (!/^https?:/.test(url) || !URL.canParse(url)) return [];
  const { host, pathname } = new URL(url);
  return pathname === '/' ? [`${host}/`] : [pathname, `${host}${pathname}`];
}

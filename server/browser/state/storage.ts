import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { parseUrl } from '@/lib/text/url';
import { CdpError, MalformedAnswer } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import type { Write } from '../write';

/**
 * Local and session storage of the document that a tab shows (PS3). Source: DOMStorage, Storage.getStorageKeyForFrame.
 */

export type StorageArea = 'local' | 'session';

export interface StoragePlace {
  readonly storageKey: string;
  readonly isLocalStorage: boolean;
}

/** The storage of the tab's page. Throws CONFLICT when the page has none, such as about:blank. */
export async function placeOf(
  budget: Budget,
  session: CdpSession,
  frameId: string,
  area: StorageArea,
): Promise<StoragePlace> {
  const storageKey = await budget.race(keyOf(session, frameId));
  if (storageKey === undefined || !/^https?:/u.test(originOf({ storageKey })))
    throw new WheelhouseError('CONFLICT', 'The page in this tab has no storage.', {
      hint: 'Open the site whose storage you mean first.',
    });
  return { storageKey, isLocalStorage: area === 'local' };
}

/** The origin of a storage key: its first part; partitioned storage adds parts after `^`. */
export function originOf({ storageKey }: Pick<StoragePlace, 'storageKey'>): string {
  return parseUrl(storageKey.split('^')[0] ?? '')?.origin ?? '';
}

/** The storage key; undefined where Chrome refuses, as for pages of an opaque origin. */
async function keyOf(session: CdpSession, frameId: string): Promise<string | undefined> {
  try {
    return (await session.send('Storage.getStorageKeyForFrame', { frameId })).storageKey;
  } catch (error) {
    if (error instanceof CdpError && !(error instanceof MalformedAnswer)) return undefined;
    throw error;
  }
}

export async function readStorage(
  budget: Budget,
  session: CdpSession,
  storageId: StoragePlace,
): Promise<(readonly [key: string, value: string])[]> {
  const { entries } = await budget.race(session.send('DOMStorage.getDOMStorageItems', { storageId }));
  return entries.map(([key = '', value = '']) => [key, value]);
}

export async function writeStorage(
  write: Write,
  storageId: StoragePlace,
  values: Readonly<Record<string, string>>,
): Promise<number> {
  const entries = Object.entries(values);
  for (const [key, value] of entries) await write('DOMStorage.setDOMStorageItem', { storageId, key, value });
  return entries.length;
}

/** Deletes one entry or all; returns how many were deleted. */
export async function clearStorage(
  write: Write,
  storageId: StoragePlace,
  present: readonly (readonly [string, string])[],
  key: string | undefined,
): Promise<number> {
  const fitting = key === undefined ? present : present.filter(([name]) => name === key);
  if (key === undefined) await write('DOMStorage.clear', { storageId });
  else if (fitting.length > 0) await write('DOMStorage.removeDOMStorageItem', { storageId, key });
  return fitting.length;
}

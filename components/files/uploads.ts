import { createStore } from 'zustand/vanilla';
import { WheelhouseError } from '@/lib/errors/error';
import { freeName, safeName } from '@/lib/files/file-name';
import { sendFile } from '@/components/session-client/send-file';
import { randomId } from '@/components/session-client/random-id';

/** A file on its way from this page to a session. Sizes in bytes. */
export interface Upload {
  readonly id: string;
  readonly session: string;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  /** Why it did not get there. */
  readonly problem: unknown;
  readonly stop: () => void;
}

/** Names that come up while others are sent too are tried again under the next free one, this often. */
const MOST_TRIES = 5;

const store = createStore<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }));
export const uploadStore = store;

/**
 * Sends files to a session, one after the other, under names that are free there. Those that fail stay in the list
 * until they are dismissed.
 * @param taken names that the session has
 * @returns names of those that got there, in order
 */
export async function uploadFiles(
  session: string,
  files: readonly File[],
  taken: readonly string[],
): Promise<string[]> {
  const names = new Set([
    ...taken,
    ...store
      .getState()
      .uploads.filter((one) => one.session === session)
      .map(({ name }) => name),
  ]);
  const jobs = files.map((file) => {
    const name = freeName(safeName(file.name), (one) => names.has(one));
    names.add(name);
    const ending = new AbortController();
    const id = randomId();
    add({ id, session, name, size: file.size, sent: 0, problem: undefined, stop: () => ending.abort() });
    return { id, name, file, signal: ending.signal };
  });
  const sent: string[] = [];
  for (const job of jobs) {
    const name = await send(session, job, names);
    if (name !== undefined) sent.push(name);
  }
  return sent;
}

/** Takes one off the list, and ends it when it is still on its way. */
export function dropUpload(upload: Upload): void {
  upload.stop();
  remove(upload.id);
}

interface Job {
  readonly id: string;
  readonly name: string;
  readonly file: File;
  readonly signal: AbortSignal;
}

async function send(session: string, { id, name, file, signal }: Job, names: Set<string>): Promise<string | undefined> {
  let free = name;
  for (let tries = 1; ; tries += 1) {
    try {
      if (signal.aborted) return undefined;
      await sendFile({ session, name: free, content: file, signal, onSent: (sent) => change(id, { sent }) });
      remove(id);
      return free;
    } catch (thrown) {
      if (signal.aborted) return undefined;
      const isTaken = thrown instanceof WheelhouseError && thrown.code === 'CONFLICT';
      if (!isTaken || tries === MOST_TRIES) {
        change(id, { problem: thrown });
        return undefined;
      }
      names.add(free);
      free = freeName(name, (one) => names.has(one));
      names.add(free);
      change(id, { name: free, sent: 0 });
    }
  }
}

function add(upload: Upload): void {
  store.setState(({ uploads }) => ({ uploads: [...uploads, upload] }));
}

function change(id: string, news: Partial<Upload>): void {
  store.setState(({ uploads }) => ({ uploads: uploads.map((one) => (one.id === id ? { ...one, ...news } : one)) }));
}

function remove(id: string): void {
  store.setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.id !== id) }));
}

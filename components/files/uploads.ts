import { createStore } from 'zustand/vanilla';
import { WheelhouseError } from '@/lib/errors/error';
import { freeName, safeName } from '@/lib/files/file-name';
import { sendFile } from '@/components/session-client/send-file';
import { randomId } from '@/components/session-client/random-id';

/** An upload from this page to a session. Sizes in bytes. */
export interface Upload {
  readonly id: string;
  readonly session: string;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  /** The error when it failed. */
  readonly problem: unknown;
  readonly stop: () => void;
}

/** The most attempts for one file: a name that was taken meanwhile is replaced by the next free one. */
const MOST_TRIES = 5;

const store = createStore<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }));
export const uploadStore = store;

/**
 * Uploads files to a session, one after the other, under free names. Failed uploads stay in the list until they are
 * dismissed.
 * @param taken names of the session's files
 * @returns names of the uploaded files, in order
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

/** Removes an upload from the list, and aborts it when it is running. */
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

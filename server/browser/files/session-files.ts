import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { freeName, nameProblem, safeName } from '@/lib/files/file-name';
import { FILE_LIMITS, type FileLimits } from '@/lib/files/limits';
import { fileSchema, type FileOrigin, type FileView } from '@/lib/files/views';
import { Emitter } from '../emitter';

/** With what `FileOrigin` says; files of older servers have neither `owner` nor `tabs`. */
const entrySchema = fileSchema.extend({
  id: z.uuid(),
  owner: z.string().optional(),
  tabs: z.array(z.string()).optional(),
});
type Entry = z.infer<typeof entrySchema>;

/** Whether a caller may have a file; for one who may not it does not exist. */
type SeesFile = (file: FileOrigin) => boolean;
const SEES_ALL: SeesFile = () => true;

/** A finished download in the folder `incoming`, named after its guid there. */
interface ArrivedFile {
  readonly guid: string;
  readonly suggested: string;
  readonly url: string;
  readonly tabs: readonly string[];
  readonly by: FileMaker | undefined;
}

/** Who added a file, or drove the tab that downloaded it. */
export interface FileMaker {
  /** Participant id. */
  readonly id: string;
  readonly name: string;
}

export interface OpenFile {
  readonly view: FileView;
  /** Read it to its end or cancel it, so that the file is closed. */
  readonly content: ReadableStream<Uint8Array>;
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW;

/**
 * The files of one session (DI2). Each is alone in a folder named by us, so that no name from a caller or a page can
 * lead out of the folder or onto another file: names are looked up, never joined to a path. A file appears whole or not
 * at all.
 */
export class SessionFiles {
  /** A file was added, removed or renamed. */
  readonly onChange = new Emitter<[]>();
  readonly #entries = new Map<string, Entry>();
  /** Names of files that are being written. */
  readonly #coming = new Set<string>();
  #comingBytes = 0;

  /** `root` is the session's own folder; it is made when it is first needed. */
  constructor(
    private readonly root: string,
    private readonly limits: FileLimits = FILE_LIMITS,
  ) {
    for (const entry of entriesIn(root)) this.#entries.set(entry.name, entry);
  }

  /** The folder into which Chrome downloads, under names of its own. */
  get incoming(): string {
    return path.join(this.root, 'incoming');
  }

  /** Bytes that the files use, and may use. */
  get space(): { readonly used: number; readonly limit: number } {
    const used = [...this.#entries.values()].reduce((sum, { size }) => sum + size, 0);
    return { used, limit: this.limits.session };
  }

  /** Bytes that may still be added. */
  get freeBytes(): number {
    const { used, limit } = this.space;
    return Math.max(0, limit - used - this.#comingBytes);
  }

  list(sees = SEES_ALL): FileView[] {
    return [...this.#entries.values()].filter(sees).map(viewOf);
  }

  makeIncoming(): void {
    mkdirSync(this.incoming, { recursive: true, mode: 0o700 });
  }

  /** Stores what is sent under a new name. `by`: the sender. Throws PATH_DENIED, CONFLICT, TOO_LARGE, QUOTA. */
  async put(
    name: string,
    source: AsyncIterable<Uint8Array>,
    by?: FileMaker,
    from: 'upload' | 'trace' = 'upload',
  ): Promise<FileView> {
    this.#check(name);
    this.#claim(name);
    const id = randomUUID();
    const part = path.join(this.root, `${id}.part`);
    try {
      await mkdir(this.root, { recursive: true, mode: 0o700 });
      const size = await this.#write(part, source, from === 'upload' ? this.limits.upload : this.limits.trace);
      return await this.#settle({ id, name, size, from, createdAt: new Date().toISOString(), ...madeBy(by) }, part);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      this.#coming.delete(name);
    }
  }

  /** Adds a finished download under the nearest free name. Throws QUOTA, and deletes the file then. */
  async adopt({ guid, suggested, url, tabs, by }: ArrivedFile): Promise<FileView> {
    const arrived = path.join(this.incoming, path.basename(guid));
    const name = freeName(safeName(suggested), (taken) => this.#isTaken(taken));
    this.#coming.add(name);
    try {
      const { size } = await this.#plainFile(arrived);
      if (size > this.freeBytes || this.#entries.size >= this.limits.files) throw this.#full();
      const id = randomUUID();
      const createdAt = new Date().toISOString();
      const entry = { id, name, size, from: 'download' as const, createdAt, url, tabs: [...tabs], ...madeBy(by) };
      return await this.#settle(entry, arrived);
    } catch (error) {
      await rm(arrived, { force: true });
      throw error;
    } finally {
      this.#coming.delete(name);
    }
  }

  /** Throws PATH_DENIED, NOT_FOUND. */
  async open(name: string, sees = SEES_ALL): Promise<OpenFile> {
    const entry = this.#entry(name, sees);
    await this.#plainFile(this.#pathOf(entry));
    return { view: viewOf(entry), content: streamOf(await open(this.#pathOf(entry), READ), entry.size) };
  }

  /** Paths to pass to Chrome. Throws PATH_DENIED, NOT_FOUND naming the file. */
  async paths(names: readonly string[], sees = SEES_ALL): Promise<string[]> {
    const entries = names.map((name) => this.#entry(name, sees));
    for (const entry of entries) await this.#plainFile(this.#pathOf(entry));
    return entries.map((entry) => path.resolve(this.#pathOf(entry)));
  }

  /** Gives a file another name. Throws PATH_DENIED, NOT_FOUND, CONFLICT. */
  async rename(name: string, to: string): Promise<FileView> {
    const entry = this.#entry(name);
    if (name === to) return viewOf(entry);
    this.#check(to);
    this.#claim(to);
    try {
      const from = this.#pathOf(entry);
      this.#entries.delete(name);
      return await this.#settle({ ...entry, name: to }, from);
    } finally {
      this.#coming.delete(to);
    }
  }

  /** Participant id of who added the file, if known. Throws PATH_DENIED, NOT_FOUND. */
  ownerOf(name: string, sees = SEES_ALL): string | undefined {
    return this.#entry(name, sees).owner;
  }

  async remove(name: string): Promise<void> {
    const entry = this.#entry(name);
    this.#entries.delete(name);
    await rm(this.#metaOf(entry), { force: true });
    await rm(path.join(this.root, entry.id), { recursive: true, force: true });
    this.onChange.emit();
  }

  /** Removes all files at the end of the session. */
  async erase(): Promise<void> {
    this.#entries.clear();
    await rm(this.root, { recursive: true, force: true });
  }

  async #write(part: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
    let size = 0;
    const handle = await open(part, WRITE_NEW, 0o600);
    try {
      for await (const chunk of source) {
        size += chunk.byteLength;
        this.#comingBytes += chunk.byteLength;
        if (size > limit)
          throw new WheelhouseError('TOO_LARGE', { code: 'fileTooLarge', limit }, { details: { limit } });
        if (this.freeBytes === 0) throw this.#full();
        await handle.writeFile(chunk);
      }
    } finally {
      this.#comingBytes -= size;
      await handle.close();
    }
    return size;
  }

  /** Moves a finished file to its place in one step, and writes its metadata beside it. */
  async #settle(entry: Entry, from: string): Promise<FileView> {
    const folder = path.join(this.root, entry.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#inside(folder);
    await rename(from, this.#pathOf(entry));
    await writeFile(this.#metaOf(entry), JSON.stringify(entry), { mode: 0o600 });
    this.#entries.set(entry.name, entry);
    this.onChange.emit();
    return viewOf(entry);
  }

  #entry(name: string, sees = SEES_ALL): Entry {
    this.#check(name);
    const entry = this.#entries.get(name);
    if (entry && sees(entry)) return entry;
    throw new WheelhouseError(
      'NOT_FOUND',
      { code: 'fileMissing', name },
      {
        details: {
          files: this.list(sees)
            .slice(0, 50)
            .map((file) => file.name),
        },
      },
    );
  }

  #check(name: string): void {
    const problem = nameProblem(name);
    if (problem !== undefined)
      throw new WheelhouseError('PATH_DENIED', `The file name ${problem}.`, { details: { problem } });
  }

  /** Reserves a name; throws CONFLICT for a name in use, since a file is never overwritten. */
  #claim(name: string): void {
    if (this.#isTaken(name))
      throw new WheelhouseError('CONFLICT', { code: 'fileTaken', name }, { hint: { code: 'fileNameCure' } });
    if (this.#entries.size + this.#coming.size >= this.limits.files || this.freeBytes === 0) throw this.#full();
    this.#coming.add(name);
  }

  #isTaken(name: string): boolean {
    return this.#entries.has(name) || this.#coming.has(name);
  }

  #full(): WheelhouseError {
    const { session, files } = this.limits;
    return new WheelhouseError(
      'QUOTA',
      { code: 'filesFull' },
      { hint: { code: 'filesFullCure' }, details: { limit: session, files } },
    );
  }

  /** Refuses links and files whose real path is outside of the session's folder. */
  async #plainFile(file: string): Promise<{ size: number }> {
    const stat = await lstat(file);
    if (!stat.isFile()) throw denied();
    await this.#inside(file);
    return stat;
  }

  async #inside(file: string): Promise<void> {
    const [root, real] = await Promise.all([realpath(this.root), realpath(file)]);
    if (!real.startsWith(`${root}${path.sep}`)) throw denied();
  }

  #pathOf({ id, name }: Entry): string {
    return path.join(this.root, id, name);
  }

  #metaOf({ id }: Entry): string {
    return path.join(this.root, `${id}.json`);
  }
}

function madeBy(by: FileMaker | undefined): Pick<Entry, 'by' | 'owner'> {
  return by === undefined ? {} : { by: by.name, owner: by.id };
}

const CHUNK_BYTES = 65_536;

/** Closes the file with its last byte: a reader that knows the length may not ask again. */
function streamOf(handle: FileHandle, size: number): ReadableStream<Uint8Array> {
  let left = size;
  return new ReadableStream({
    pull: async (controller) => {
      const { bytesRead, buffer } =
        left > 0
          ? await handle.read(new Uint8Array(Math.min(CHUNK_BYTES, left)))
          : { bytesRead: 0, buffer: new Uint8Array(0) };
      left -= bytesRead;
      if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
      if (bytesRead > 0 && left > 0) return;
      await handle.close();
      controller.close();
    },
    cancel: () => handle.close(),
  });
}

function denied(): WheelhouseError {
  return new WheelhouseError('PATH_DENIED', { code: 'fileOutside' });
}

function viewOf({ id: _id, owner: _owner, tabs: _tabs, ...view }: Entry): FileView {
  return view;
}

/** The files that an earlier run of the server left; skips anything that this class did not write. */
function entriesIn(root: string): Entry[] {
  const names = namesIn(root).filter((name) => name.endsWith('.json'));
  return names.flatMap((name) => {
    const entry = entrySchema.safeParse(jsonIn(path.join(root, name)));
    return entry.success && nameProblem(entry.data.name) === undefined && name === `${entry.data.id}.json`
      ? [entry.data]
      : [];
  });
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    // The session has no files yet.
    return [];
  }
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

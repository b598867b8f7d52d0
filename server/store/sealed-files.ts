import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretFile } from './data-dir';
import { codeOf } from './failures';

const KEY_FILE = 'saved.key';
const FOLDER = 'saved';
const END = '.sealed';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN_CHARS = 22;

/**
 * Texts that are encrypted on disk, one file each (AES-256-GCM), with a key beside the database (0600). The name is
 * authenticated with the text, so that one file cannot replace another. Not in the database, whose hourly backups would
 * keep what was deleted.
 */
export class SealedFiles {
  readonly #folder: string;
  #madeKey: Buffer | undefined;

  constructor(private readonly dataDir: string) {
    this.#folder = join(dataDir, FOLDER);
  }

  /** Replaces the previous text atomically. `name` is ours, never a client's. */
  async write(name: string, text: string): Promise<void> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(), nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#path(name, '.new'), sealed, { mode: 0o600 });
    await rename(this.#path(name, '.new'), this.#path(name));
  }

  /** Undefined when there is no file, or when it cannot be decrypted: truncated, changed, or of another key. */
  async read(name: string): Promise<string | undefined> {
    try {
      return this.#open(name, await readFile(this.#path(name)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await Promise.all([rm(this.#path(name), { force: true }), rm(this.#path(name, '.new'), { force: true })]);
  }

  /** Removes all other files. */
  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    const files = await readdir(this.#folder).catch((): string[] => []);
    await Promise.all(
      files
        .filter((file) => !names.has(file.slice(0, file.indexOf('.'))))
        .map((file) => rm(join(this.#folder, file), { force: true })),
    );
  }

  #open(name: string, sealed: Buffer): string | undefined {
    try {
      const opener = createDecipheriv(CIPHER, this.#key(), sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(name))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([opener.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), opener.final()]).toString('utf8');
    } catch {
      // A file that cannot be authenticated counts as not saved.
      return undefined;
    }
  }

  /** 22 unguessable letters and digits for this text, the same in each run of the server. */
  token(text: string): string {
    return createHmac('sha256', this.#key()).update(`token of ${text}`).digest('base64url').slice(0, TOKEN_CHARS);
  }

  #path(name: string, end = ''): string {
    return join(this.#folder, `${name}${END}${end}`);
  }

  #key(): Buffer {
    return (this.#madeKey ??= secretFile(this.dataDir, KEY_FILE, true));
  }
}

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOSTILE_NAMES } from '@/lib/files/testing/hostile-names';
import { FILE_LIMITS } from '@/lib/files/limits';
import { WheelhouseError } from '@/lib/errors/error';
import { SessionFiles } from './session-files';

let base: string;
let root: string;
let sessionFiles: SessionFiles;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'wheelhouse-files-'));
  root = path.join(base, 'files', 's_1');
  sessionFiles = new SessionFiles(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const put = (name: string, text = 'x') => sessionFiles.put(name, bytes(text));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof WheelhouseError ? error.code : String(error)),
  );
async function textOf(name: string): Promise<string> {
  const { content } = await sessionFiles.open(name);
  return new Response(content).text();
}
/** Every file under a folder, as paths from it. */
const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );

describe('SessionFiles', () => {
  it('[DI2] keeps a file under its name, gives it back, renames and removes it', async () => {
    expect(await put('a.txt', 'hello')).toMatchObject({ name: 'a.txt', size: 5, from: 'upload' });
    expect([await textOf('a.txt'), sessionFiles.list().length]).toEqual(['hello', 1]);
    expect(readFileSync((await sessionFiles.paths(['a.txt']))[0] ?? '', 'utf8')).toBe('hello');
    await sessionFiles.rename('a.txt', 'b.txt');
    expect([await codeOf(sessionFiles.open('a.txt')), await textOf('b.txt')]).toEqual(['NOT_FOUND', 'hello']);
    await sessionFiles.remove('b.txt');
    expect([sessionFiles.list(), filesUnder(root)]).toEqual([[], []]);
  });

  it('[AU4] a file that a caller may not see is neither listed, given, nor named in the refusal, also after a restart', async () => {
    await put('theirs.txt');
    sessionFiles.makeIncoming();
    writeFileSync(path.join(sessionFiles.incoming, 'guid'), 'x');
    await sessionFiles.adopt({ ...{ guid: 'guid', suggested: 'got.txt', url: '', tabs: ['t1'], by: undefined } });
    sessionFiles = new SessionFiles(root);
    const sees: Parameters<typeof sessionFiles.list>[0] = ({ tabs = [] }) => tabs.includes('t1');
    const refused = await sessionFiles.open('theirs.txt', sees).catch((error: unknown) => error);

    expect(sessionFiles.list(sees).map(({ name }) => name)).toEqual(['got.txt']);
    expect(refused).toMatchObject({ code: 'NOT_FOUND', details: { files: ['got.txt'] } });
    expect([
      await codeOf(sessionFiles.paths(['theirs.txt'], sees)),
      await codeOf(sessionFiles.paths(['got.txt'], sees)),
      await codeOf(sessionFiles.paths(['theirs.txt'])),
    ]).toEqual(['NOT_FOUND', 'done', 'done']);
    expect(JSON.stringify(sessionFiles.list())).not.toContain('tabs');
  });

  it('[DI2] finds its files again after a restart, and no others', async () => {
    await put('a.txt', 'hello');
    writeFileSync(
      path.join(root, 'planted.json'),
      JSON.stringify({ id: '../../x', name: '../x', size: 1, from: 'upload', createdAt: '' }),
    );
    sessionFiles = new SessionFiles(root);
    expect([sessionFiles.list().map(({ name }) => name), await textOf('a.txt')]).toEqual([['a.txt'], 'hello']);
  });

  it('[T13] a name that is there is never written over', async () => {
    await put('a.txt', 'first');
    expect([
      await codeOf(put('a.txt', 'second')),
      await codeOf(Promise.all([put('b.txt', '1'), put('b.txt', '2')])),
      await textOf('a.txt'),
    ]).toEqual(['CONFLICT', 'CONFLICT', 'first']);
    await put('c.txt');
    expect(await codeOf(sessionFiles.rename('c.txt', 'a.txt'))).toBe('CONFLICT');
  });

  it(`[T13] ${HOSTILE_NAMES.length} hostile names: every file stays inside, none is overwritten`, async () => {
    expect(HOSTILE_NAMES.length).toBeGreaterThanOrEqual(220);
    writeFileSync(path.join(base, 'canary'), 'canary');
    const before = filesUnder(base);
    sessionFiles.makeIncoming();
    let kept = 0;
    for (const [index, name] of HOSTILE_NAMES.entries()) {
      for (const work of [
        () => put(name),
        () => sessionFiles.open(name),
        () => sessionFiles.paths([name]),
        () => sessionFiles.remove(name),
      ]) {
        const code = await codeOf(work());
        expect(['done', 'PATH_DENIED', 'NOT_FOUND']).toContain(code);
      }
      writeFileSync(path.join(sessionFiles.incoming, `guid-${index}`), String(index));
      const adopted = await sessionFiles.adopt({
        ...{ guid: `guid-${index}`, suggested: name, url: '', tabs: [], by: undefined },
      });
      expect(await textOf(adopted.name)).toBe(String(index));
      kept += 1;
    }
    const outside = filesUnder(base).filter((file) => !file.startsWith(path.join('files', 's_1') + path.sep));
    expect([outside, sessionFiles.list().length, new Set(sessionFiles.list().map(({ name }) => name)).size]).toEqual([
      before,
      kept,
      kept,
    ]);
  });

  it('[T13] a link in place of a file or a folder is not followed', async () => {
    await put('a.txt');
    writeFileSync(path.join(base, 'secret'), 'secret');
    const [file = ''] = await sessionFiles.paths(['a.txt']);
    rmSync(file);
    symlinkSync(path.join(base, 'secret'), file);
    expect([await codeOf(sessionFiles.open('a.txt')), await codeOf(sessionFiles.paths(['a.txt']))]).toEqual([
      'PATH_DENIED',
      'PATH_DENIED',
    ]);
    rmSync(path.dirname(file), { recursive: true });
    mkdirSync(path.join(base, 'elsewhere'));
    writeFileSync(path.join(base, 'elsewhere', 'a.txt'), 'secret');
    symlinkSync(path.join(base, 'elsewhere'), path.dirname(file));
    expect(await codeOf(sessionFiles.open('a.txt'))).toBe('PATH_DENIED');
  });

  it('[DI2] refuses at limit + 1 and leaves nothing behind', async () => {
    sessionFiles = new SessionFiles(root, { ...FILE_LIMITS, upload: 10, session: 25, files: 3 });
    expect([
      await codeOf(put('a', '0123456789')),
      await codeOf(put('b', '0123456789x')),
      await codeOf(put('b', '0123456789')),
    ]).toEqual(['done', 'TOO_LARGE', 'done']);
    expect([await codeOf(put('c', '0123456789')), sessionFiles.freeBytes, filesUnder(root).length]).toEqual([
      'QUOTA',
      5,
      4,
    ]);
    await put('c', '01');
    expect(await codeOf(put('d', ''))).toBe('QUOTA');
  });
});

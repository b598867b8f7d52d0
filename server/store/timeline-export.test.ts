import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyLines } from '@/bin/verify/walk.mjs';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { Connection } from './connection';
import { digestBefore, digestOf, sha256 } from './chain';
import { headText, Signer } from './signer';
import { openSigner } from './signatures';
import { openStore, type Store } from './store';
import { verifyTimeline } from './timeline-verify';
import { sized } from '@/server/testing/sized';

const PROGRAM = 'bin/wheelhouse-verify.mjs';
const TEXTS = ['click button "Buy"', 'Zeile 🛞 "x"\u0000\u2028 ,"proof":{"digest":"0"}', '打开了 shop.example'];

async function exported(store: Store, workspace: string, session: string): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of store.exportTimeline(workspace, session)) parts.push(part);
  return parts.join('').split('\n').slice(0, -1);
}

/** An export with this number of rows, and the fingerprint of its key. */
async function exportOf(rows: number): Promise<{ lines: string[]; session: string; fingerprint: string }> {
  const store = await tempStore();
  const { workspace, session } = await tempSession(store);
  for (let row = 1; row <= rows; row += 1) {
    await store.timeline.append(workspace, session, clickEvent(`e${row}`, { text: TEXTS[row % 3] ?? '' }));
    if (row % 4 === 2)
      await store.pictures.add(workspace, session, {
        seq: row,
        eventId: `e${row}`,
        at: '2026-01-01T00:00:00.000Z',
        sha256: sha256(`${row}`),
        bytes: 1,
        width: 1280,
        height: 720,
      });
  }
  return { lines: await exported(store, workspace, session), session, fingerprint: store.timelineKey().fingerprint };
}

/** Rewrites the whole chain after a change of row `at`, like an attacker who has everything but the key. */
function rechain(lines: readonly string[], at: number, session: string, signer?: Signer): string[] {
  let digest = digestBefore(session);
  return lines.map((line, index) => {
    const [payload, proof] = [
      line.slice(0, line.lastIndexOf(',"proof":')),
      line.slice(line.lastIndexOf(',"proof":') + 9, -1),
    ];
    const changed = index === at ? `${payload.replace('"http"', '"ui"')}}` : `${payload}}`;
    digest = digestOf(digest, changed);
    const { end, picture } = JSON.parse(proof);
    if (!end) return `${changed.slice(0, -1)},"proof":${JSON.stringify({ digest, picture })}}`;
    const signature = signer?.sign(headText({ ...end, digest }));
    return `${changed.slice(0, -1)},"proof":${JSON.stringify({ digest, picture, end: { ...end, digest, ...(signer && { signature, key: signer.publicKey.key }) } })}}`;
  });
}

const within = (rows: number, random: number): number => Math.floor(random * rows);
const other = (letter: string): string => (letter === 'x' ? 'y' : 'x');

/** Each returns a falsified file, and the first wrong row if that can be known. */
const TRICKS = {
  edit: (lines: readonly string[], a: number, b: number) => {
    const at = within(lines.length, a);
    const line = lines[at] ?? '';
    const place = within(line.length, b);
    return {
      lines: lines.with(at, `${line.slice(0, place)}${other(line.charAt(place))}${line.slice(place + 1)}`),
      row: undefined,
    };
  },
  drop: (lines: readonly string[], a: number) => ({
    lines: lines.toSpliced(within(lines.length, a), 1),
    row: within(lines.length, a) + 1,
  }),
  swap: (lines: readonly string[], a: number, b: number) => {
    const first = within(lines.length - 1, a);
    const second = first + 1 + within(lines.length - 1 - first, b);
    return { lines: lines.with(first, lines[second] ?? '').with(second, lines[first] ?? ''), row: first + 1 };
  },
  truncate: (lines: readonly string[], a: number) => ({
    lines: lines.slice(0, within(lines.length, a)),
    row: within(lines.length, a) + 1,
  }),
  duplicate: (lines: readonly string[], a: number, b: number) => {
    const [from, to] = [within(lines.length, a), within(lines.length, b)];
    return { lines: lines.toSpliced(Math.max(from, to) + 1, 0, lines[from] ?? ''), row: Math.max(from, to) + 2 };
  },
} as const;

describe('an export that is checked by the program', () => {
  it('[T21] correct exports of any length raise no alarm, and each of their beginnings is found to be cut', async () => {
    for (let rows = 1; rows <= sized(90, 200); rows += 20) {
      const { lines, fingerprint } = await exportOf(rows);
      expect(verifyLines(lines, fingerprint)).toMatchObject({ ok: true, rows, fingerprint });
      for (let part = 1; part < lines.length; part += 1)
        expect(verifyLines(lines.slice(0, part))).toMatchObject({ ok: false, how: 'cut', row: part + 1 });
    }
  });

  it.each(Object.entries(TRICKS))('[TL2] [T21] %s: each of 400 is found, at its row', async (_, trick) => {
    const { lines, fingerprint } = await exportOf(12);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (a, b) => {
          const tampered = trick(lines, a, b);
          const verdict = verifyLines(tampered.lines, fingerprint);
          expect(verdict).toMatchObject({ ok: false, how: expect.any(String), problem: expect.any(String) });
          if (tampered.row !== undefined) expect(verdict.row).toBe(tampered.row);
        },
      ),
      { numRuns: sized(150, 400) },
    );
  });

  it('[T21] a timeline that was chained again is found: under the old signature, and signed by another key', async () => {
    const { lines, session, fingerprint } = await exportOf(12);
    const stranger = new Signer(randomBytes(32));
    for (let at = 0; at < lines.length; at += 1) {
      expect(verifyLines(rechain(lines, at, session))).toMatchObject({ ok: false, how: 'rewritten' });
      expect(verifyLines(rechain(lines, at, session, stranger), fingerprint)).toMatchObject({
        ok: false,
        how: 'another key',
      });
    }
    expect(verifyLines(rechain(lines, -1, session))).toMatchObject({ ok: true });
  });

  it('[TL2] [T21] an exchanged picture is found', async () => {
    const { lines } = await exportOf(12);
    const proofOf = (line = ''): string => /"picture":(\{.*?\})/.exec(line)?.[1] ?? '';
    const swapped = lines.with(1, (lines[1] ?? '').replace(proofOf(lines[1]), proofOf(lines[5])));
    expect([proofOf(lines[1]) === '', verifyLines(lines), verifyLines(swapped)]).toMatchObject([
      false,
      { ok: true, pictures: 3 },
      { ok: false, row: 2, how: 'altered' },
    ]);
  });

  it('[T21] says what is wrong with a row', async () => {
    const { lines } = await exportOf(6);
    const how = (changed: readonly string[]) => verifyLines(changed).how;
    expect([
      how(lines.with(2, (lines[2] ?? '').replace('"http"', '"ui"'))),
      how(lines.toSpliced(2, 1)),
      how(lines.with(2, lines[3] ?? '').with(3, lines[2] ?? '')),
      how(lines.toSpliced(3, 0, lines[1] ?? '')),
      how(lines.slice(0, 4)),
      how([...lines, lines[0] ?? '']),
      how([...lines, 'x']),
    ]).toEqual(['altered', 'missing', 'reordered', 'duplicated', 'cut', 'unsigned', 'unsigned']);
  });
});

describe('the program', () => {
  const run = (...args: readonly string[]): { code: number | null; said: string } => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
    return { code: status, said: stdout.trim() };
  };

  it('[TL2] prints ok with counts, or the wrong row and what is wrong', async () => {
    const { lines, fingerprint } = await exportOf(3);
    const file = join(tempDir(), 'timeline.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const good = run(file, '--key', fingerprint);
    const stranger = run(file, '--key', 'a'.repeat(64));
    writeFileSync(file, `${lines.toSpliced(1, 1).join('\n')}\n`);

    expect(good).toEqual({
      code: 0,
      said: expect.stringMatching(
        /ok\. 3 rows, none altered, missing or moved, 1 pictures named; signed \d{4}-.*by the given key$/,
      ),
    });
    expect(stranger).toEqual({
      code: 1,
      said: expect.stringContaining(`WRONG at row 3: another key. It was signed by the key ${fingerprint}`),
    });
    expect(run(file)).toEqual({ code: 1, said: `${file}: WRONG at row 2: missing. Row 2 is missing.` });
    expect(run(join(file, 'no'))).toMatchObject({ code: 2 });
    expect(run(file, '--key', 'no key')).toMatchObject({ code: 2 });
  });

  it('[T21] checks every timeline of a stopped server, and finds rows cut off its end', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    const { workspace, session } = await tempSession(store);
    for (let row = 1; row <= 5; row += 1) await store.timeline.append(workspace, session, clickEvent(`e${row}`));
    await store.close();
    const whole = run('--data', dataDir, '--key', join(dataDir, 'timeline-signing.pub'));
    const file = new Sqlite(join(dataDir, 'wheelhouse.sqlite'));
    file.exec('DELETE FROM timeline WHERE seq > 3');
    file.close();

    expect(whole).toEqual({ code: 0, said: expect.stringMatching(new RegExp(`^${session}: ok\\. 5 rows`)) });
    expect(run('--data', dataDir)).toEqual({
      code: 1,
      said: `${session}: WRONG at row 4: cut. The timeline was signed as ending at row 5: rows were cut off.`,
    });
  });
});

describe('the signed head', () => {
  it('[TL1] is signed with each row, in one commit', async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir });
    const { workspace, session } = await tempSession(store);
    const copy = join(tempDir(), 'copy.sqlite');
    for (let row = 1; row <= 5; row += 1) await store.timeline.append(workspace, session, clickEvent(`e${row}`));
    const file = new Sqlite(join(dataDir, 'wheelhouse.sqlite'));
    await file.backup(copy);
    file.close();
    rmSync(join(dataDir, 'timeline.head'));
    const killed = new Connection(copy, 0);
    const verdict = await verifyTimeline(killed.db, openSigner(dataDir, false), { workspace, session });
    await killed.close();

    expect(verdict).toEqual({ ok: true, rows: 5 });
  });

  it('[T21] an end with a foreign signature is found in the database', async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir });
    const { workspace, session } = await tempSession(store);
    await store.timeline.append(workspace, session, clickEvent('e1'));
    await exported(store, workspace, session);
    const file = new Sqlite(join(dataDir, 'wheelhouse.sqlite'));
    file.exec(`UPDATE timeline_heads SET signed_at = '2020-01-01T00:00:00.000Z'`);
    file.close();
    expect(await store.verifyTimeline(workspace, session)).toEqual({
      ok: false,
      at: 1,
      problem: 'the signature of the head is not of this timeline',
    });
  });

  it('[OP1] only the owner can read the signing key; without it no signed timeline is opened', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    await tempSession(store);
    await store.close();
    expect(statSync(join(dataDir, 'timeline-signing.key')).mode & 0o777).toBe(0o600);
    rmSync(join(dataDir, 'timeline-signing.key'));
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('timeline-signing.key'),
    });
  });
});

import { get } from 'node:http';
import { expect, it } from 'vitest';
import { signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Answers that are still being sent when the right to them ends (T9). */

const fixture = useServerFixture('<!doctype html><title>Long</title>');

/** More than what the connection itself holds between a server that sends and a client that does not read. */
const FILE_BYTES = 40 * 1_024 * 1_024;
const ROWS = 3_000;
const TEXT = 'x'.repeat(6_000);

/** Begins a call and reads only its first bytes; `rest` reads on to the end. */
function begun(path: string, headers: Record<string, string>): Promise<{ rest(): Promise<[string, number]> }> {
  return new Promise((resolve, reject) => {
    get(`${fixture.server.origin}${path}`, { headers }, (response) => {
      let bytes = 0;
      response.pause();
      const ended = new Promise<[string, number]>((end) => {
        response.on('end', () => end(['whole', bytes]));
        response.on('error', () => end(['cut', bytes]));
      });
      response.on('data', (chunk: Buffer) => (bytes += chunk.byteLength));
      response.pause();
      resolve({
        rest: () => {
          response.resume();
          return ended;
        },
      });
    }).on('error', reject);
  });
}

it('[T9][AU3] a file and a timeline that are being sent are cut off when the person is removed, signed out or may not see them any more', async () => {
  const { server } = fixture;
  const { access, store } = server.running.services;
  const { workspace } = access.owner;
  const id = await fixture.open();
  const file = new Uint8Array(FILE_BYTES);
  await fetch(`${server.origin}/api/v1/sessions/${id}/files/long.bin`, {
    method: 'PUT',
    headers: fixture.owner,
    body: file,
  });
  const row = { kind: 'session', door: 'server', text: TEXT, phase: 'event' } as const;
  const actor = { id: 'system', name: 'Wheelhouse', kind: 'system' } as const;
  await store.commit(
    { workspace, session: id },
    { rows: Array.from({ length: ROWS }, (_, n) => ({ ...row, actor, id: `e_long${n}` })) },
  );
  const paths = [`/api/v1/sessions/${id}/files/long.bin`, `/api/v1/sessions/${id}/timeline?format=jsonl`];
  const ends: Record<string, (person: string) => Promise<unknown>> = {
    removed: (person) =>
      fetch(`${server.origin}/api/v1/members/${person}`, { method: 'DELETE', headers: fixture.owner }),
    'signed out': async (person) => {
      const [signIn] = await store.signIns.list(person, new Date());
      const by = await access.authentication.requirePrincipal({ headers: cookies.get(person) ?? {}, address: '' });
      if (by.kind === 'human') await access.signIns.end(by, signIn?.id ?? '');
    },
    'shut out of the session': async () => {
      const open = access.rights.access(id);
      if (open) access.rights.apply({ kind: 'session', access: { ...open, open: 'named' } });
    },
  };
  const cookies = new Map<string, Record<string, string>>();
  const cut: unknown[] = [];
  for (const [how, end] of Object.entries(ends)) {
    const member = await signedInPerson(server, 'member', how);
    cookies.set(member.id, { ...member.headers, host: new URL(server.origin).host });
    const calls = await Promise.all(paths.map((path) => begun(path, { ...member.headers })));
    await end(member.id);
    const results = await Promise.all(calls.map(({ rest }) => rest()));
    cut.push([how, ...results.map(([result, bytes]) => [result, bytes < FILE_BYTES])]);
  }
  const whole = await begun(paths[1] ?? '', { ...fixture.owner });
  const control = await whole.rest();

  expect(cut).toEqual(Object.keys(ends).map((how) => [how, ['cut', true], ['cut', true]]));
  expect(control[0]).toBe('whole');
}, 60_000);

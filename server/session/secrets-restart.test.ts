import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { soon } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';

const SECRET = 'wombat31polka';
const PAGE = `<title>In</title><input type="password" id="p"><button onclick="document.title = 'Now ' + p.value; alert(p.value)">Tell</button>`;
const fixture = useServerFixture(PAGE);

it('[T14] [SN6] a secret is still known after a restart of the server when the page lives on; on disk it is encrypted, and is deleted with its session', async () => {
  const id = await fixture.open();
  const { server: first } = fixture;
  expect(await first.act(id, { kind: 'type', selector: '#p', text: SECRET })).toMatchObject({ ok: true });
  const saved = (): string[] =>
    readdirSync(path.join(first.dataDir, 'saved')).filter((name) => name.includes('secrets') && name.includes(id));
  await soon(() => saved().length === 1);
  expect(saved().every((name) => !readFileSync(path.join(first.dataDir, 'saved', name)).includes(SECRET))).toBe(true);
  await fixture.restart();

  const { server: second } = fixture;
  const told = await second.act(id, { kind: 'click', role: 'button', name: 'Tell' });
  await second.act(id, { kind: 'dialog', do: 'answer', accept: true });
  await soon(async () => JSON.stringify((await second.api('GET', `/api/v1/sessions/${id}`)).body).includes('Now •••'));
  const rows = (await second.api('GET', `/api/v1/sessions/${id}/timeline`)).body;
  expect(JSON.stringify([told, rows])).toContain('•••');
  expect(JSON.stringify([told, rows])).not.toContain(SECRET);
  await second.api('DELETE', `/api/v1/sessions/${id}`);
  expect(saved()).toEqual([]);
});

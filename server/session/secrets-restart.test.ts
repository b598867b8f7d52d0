import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { soon } from '@/server/testing/private-page';
import { startTestServer } from '@/server/testing/server';
import { startWeb } from '@/server/testing/web';

const SECRET = 'wombat31polka';
const PAGE = `<title>In</title><input type="password" id="p"><button onclick="document.title = 'Now ' + p.value; alert(p.value)">Tell</button>`;

it('[T14] [SN6] a secret is still known after a restart of the server when the page lives on; on disk it is encrypted, and is deleted with its session', async () => {
  const web = await startWeb(PAGE);
  const first = await startTestServer();
  const { id } = await first.session(`${web.origin}/`);
  expect(await first.act(id, { kind: 'type', selector: '#p', text: SECRET })).toMatchObject({ ok: true });
  const saved = (): string[] =>
    readdirSync(path.join(first.dataDir, 'saved')).filter((name) => name.includes('secrets'));
  await soon(() => saved().length === 1);
  expect(saved().every((name) => !readFileSync(path.join(first.dataDir, 'saved', name)).includes(SECRET))).toBe(true);
  await first.close({ keepChrome: true, keepData: true });

  const second = await startTestServer({ dataDir: first.dataDir });
  const told = await second.act(id, { kind: 'click', role: 'button', name: 'Tell' });
  await second.act(id, { kind: 'dialog', do: 'answer', accept: true });
  await soon(async () => JSON.stringify((await second.api('GET', `/api/v1/sessions/${id}`)).body).includes('Now •••'));
  const rows = (await second.api('GET', `/api/v1/sessions/${id}/timeline`)).body;
  expect(JSON.stringify([told, rows])).toContain('•••');
  expect(JSON.stringify([told, rows])).not.toContain(SECRET);
  await second.api('DELETE', `/api/v1/sessions/${id}`);
  expect(saved()).toEqual([]);
  await second.close();
  web.close();
});

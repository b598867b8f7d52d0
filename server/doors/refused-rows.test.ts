import { expect, it } from 'vitest';
import { z } from 'zod';
import { refOf } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<title>Shop</title><button>Buy</button><input aria-label="City">');

it('[TL1][AU3] a refusal before the action began names its tab and the element of its ref; the text to type stays hidden', async () => {
  const id = await fixture.open();
  const seen = await fixture.server.snapshot(id);
  const headers = { ...fixture.owner, 'content-type': 'application/json' };
  const made = await fetch(`${fixture.server.origin}/api/v1/keys`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Looks on', grants: ['watch'], sessions: 'workspace' }),
  });
  const { key } = z.object({ key: z.string() }).parse(await made.json());
  const act = (tab: string, action: object) =>
    fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/${tab}/act`, action, { authorization: `Bearer ${key}` });
  const refused = [
    await act('active', { kind: 'click', ref: refOf(seen, 'button', 'Buy') }),
    await act('t1', { kind: 'type', ref: refOf(seen, 'textbox', 'City'), text: 'wombat31' }),
    await act('t1', { kind: 'click', ref: 'e999' }),
    await act('t1', { kind: 'press', key: 'Enter' }),
  ];
  const rows = await fixture.inside(id).timeline.events({ kind: 'refused', limit: 100 });

  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(rows.map(({ tab, element, code }) => [tab, element?.role, element?.name, code])).toEqual([
    ['t1', 'button', 'Buy', 'FORBIDDEN'],
    ['t1', 'textbox', 'City', 'FORBIDDEN'],
    ['t1', undefined, undefined, 'FORBIDDEN'],
    ['t1', undefined, undefined, 'FORBIDDEN'],
  ]);
  expect(rows[0]?.text).toBe('refused: click button “Buy” (FORBIDDEN)');
  expect(JSON.stringify(rows)).not.toContain('wombat31');
}, 60_000);

import { describe, expect, it } from 'vitest';
import type { SessionView } from '@/lib/protocol/views';
import { PICTURES } from '@/server/session/feature-slots';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';
import { until } from '@/server/session/testing/crashes';

const fixture = useServerFixture({
  '/': '<title>Asking</title><button id="p" style="position:absolute;left:0;top:100px;width:100px;height:40px" onclick="window.said = [...(window.said ?? []), confirm(\'delete?\')]">Delete</button><button id="b" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button><button id="c" onclick="window.said = [...(window.said ?? []), confirm(\'sure?\')]">Sure</button>',
});

const ANSWER = { kind: 'dialog', do: 'answer', accept: true };

function shown(id: string, dialogId: string): Promise<void> {
  const is = ({ dialog }: SessionView['tabs'][number]): boolean => dialog?.id === dialogId;
  return until(fixture.server, id, (session) => session.view().tabs.some(is));
}

describe('a page that asks on and on', () => {
  it('[F6][DI1] is shown five times, then dismissed at once: that is reported once, and the waiting click is answered', async () => {
    const id = await fixture.open();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { setTimeout(() => { window.said = []; for (let count = 0; count < 100; count += 1) window.said.push(confirm(count)); }, 0); }',
    });
    for (const dialog of ['d1', 'd2', 'd3', 'd4', 'd5']) {
      await shown(id, dialog);
      await fixture.server.act(id, ANSWER);
    }
    const click = await fixture.server.act(id, { kind: 'click', selector: '#b' });
    const { value } = await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '[window.clicks, window.said.filter(Boolean).length, window.said.length]',
    });
    const rows = await fixture.inside(id).timeline.events({ kind: 'dialog', limit: 200 });

    expect(click.error).toBeUndefined();
    expect(value).toEqual([1, 5, 100]);
    expect(
      rows.flatMap(({ said }) =>
        said?.code === 'confirmOpened' || said?.code === 'dialogsSilenced' ? [said.code] : [],
      ),
    ).toEqual([...Array.from({ length: 5 }, () => 'confirmOpened'), 'dialogsSilenced']);
  });

  it('[F6][DI1] only if nobody acts in between: a dialog after each click is shown every time', async () => {
    const id = await fixture.open();
    const met: (string | undefined)[] = [];
    for (let count = 0; count < 8; count += 1) {
      const reply = await fixture.server.act(id, { kind: 'click', selector: '#c' });
      met.push(reply.dialogs?.[0]?.type ?? reply.error?.code);
      await fixture.server.act(id, ANSWER);
    }
    const { value } = await fixture.server.act(id, { kind: 'evaluate', fn: 'window.said' });

    expect(value).toEqual(met.map(() => true));
    expect(new Set(met)).toEqual(new Set(['confirm']));
  });
});

/** A person with the lease of a new session. */
async function person(): Promise<{ id: string; client: Client }> {
  const id = await fixture.open();
  const client = fixture.person();
  await ask(client, 'session.join', { session: id });
  await fixture.control(id, { do: 'take' });
  return { id, client };
}

/** The person's answer in the interface. */
async function answers(id: string, dialogId: string): Promise<void> {
  await shown(id, dialogId);
  const response = await fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/active/act`, {
    method: 'POST',
    headers: { ...fixture.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ ...ANSWER, dialogId }),
  });
  expect(response.status).toBe(200);
}

const DIALOGS = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'];

describe('a page that asks a person who drives', () => {
  it('[DI1] after each quick click is shown every time', async () => {
    const { id, client } = await person();
    const sessionTab = fixture.inside(id).activeSessionTab();
    const { tab } = sessionTab;
    const epoch = fixture.inside(id).leases.lease(tab.id)?.epoch ?? 0;
    for (const dialog of DIALOGS) {
      const place = { x: 50, y: 120, button: 'left', clickCount: 1, modifiers: 0 } as const;
      await Promise.all([
        ask(client, 'input', {
          session: id,
          tab: tab.id,
          epoch,
          geometry: PICTURES.of(sessionTab).geometry,
          event: { type: 'down', ...place, buttons: 1 },
        }),
        ask(client, 'input', {
          session: id,
          tab: tab.id,
          epoch,
          geometry: PICTURES.of(sessionTab).geometry,
          event: { type: 'up', ...place, buttons: 0 },
        }),
        answers(id, dialog),
      ]);
    }
    const { result } = await tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'window.said.join()' });

    expect(result.value).toBe(DIALOGS.map(() => true).join());
  }, 30_000);

  it('[DI1] again and again, by prompts or confirms, is answered by that person alone', async () => {
    const { id } = await person();
    const { tab } = fixture.inside(id).activeSessionTab();
    const wizard = tab.sessions.sentinel.send('Runtime.evaluate', {
      expression: 'Array.from({ length: 7 }, (_, step) => confirm(step)).join()',
    });
    for (const dialog of DIALOGS) await answers(id, dialog);

    expect((await wizard).result.value).toBe(DIALOGS.map(() => true).join());
  }, 30_000);

  it('[F6][DI1] by alerts, which need no answer, is silenced after five', async () => {
    const { id } = await person();
    const { tab } = fixture.inside(id).activeSessionTab();
    const loop = tab.sessions.sentinel.send('Runtime.evaluate', {
      expression: 'let count = 0; for (; count < 100; count += 1) alert(count); count',
    });
    for (const dialog of DIALOGS.slice(0, 5)) await answers(id, dialog);
    const rows = async (): Promise<unknown[]> =>
      (await fixture.inside(id).timeline.events({ kind: 'dialog', limit: 200 })).flatMap(({ said }) =>
        said?.code === 'alertOpened' || said?.code === 'dialogsSilenced' ? [said.code] : [],
      );

    expect((await loop).result.value).toBe(100);
    expect(await rows()).toEqual([...Array.from({ length: 5 }, () => 'alertOpened'), 'dialogsSilenced']);
  }, 30_000);
});

it('[DI1] a dialog beyond the limit is answered even if it cannot be recorded', async () => {
  const id = await fixture.open();
  const { tab } = fixture.inside(id).activeSessionTab();
  tab.dialogs.onOpen.on(() => void tab.sessions.commands.sendMayFail('Page.handleJavaScriptDialog', { accept: true }));
  tab.dialogs.onSilenced.clear();
  tab.dialogs.onSilenced.on(() => {
    throw new Error('The database is locked.');
  });
  const { result } = await tab.sessions.sentinel.send('Runtime.evaluate', {
    expression: 'Array.from({ length: 7 }, () => confirm()).join()',
  });

  expect(result.value).toBe('true,true,true,true,true,false,false');
}, 30_000);

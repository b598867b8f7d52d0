import { describe, expect, it } from 'vitest';
import type { SessionView } from '@/lib/protocol/views';
import { useStand } from '@/server/testing/stand';
import { until } from '@/server/sessions/testing/crashes';

const stand = useStand({
  '/': '<title>Asking</title><button id="b" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button><button id="c" onclick="window.said = [...(window.said ?? []), confirm(\'sure?\')]">Sure</button>',
});

const ANSWER = { kind: 'dialog', do: 'answer', accept: true };

function shown(id: string, dialogId: string): Promise<void> {
  const is = ({ dialog }: SessionView['tabs'][number]): boolean => dialog?.id === dialogId;
  return until(stand.server, id, (session) => session.view().tabs.some(is));
}

describe('a page that asks on and on', () => {
  it('[F6][DI1] is shown five times, and then told no at once: that is said once, and the click that waited is not lost', async () => {
    const id = await stand.open();
    await stand.server.act(id, { kind: 'evaluate', fn: '() => { setTimeout(() => { window.said = []; for (let count = 0; count < 100; count += 1) window.said.push(confirm(count)); }, 0); }' });
    for (const dialog of ['d1', 'd2', 'd3', 'd4', 'd5']) {
      await shown(id, dialog);
      await stand.server.act(id, ANSWER);
    }
    const click = await stand.server.act(id, { kind: 'click', selector: '#b' });
    const { value } = await stand.server.act(id, { kind: 'evaluate', fn: '[window.clicks, window.said.filter(Boolean).length, window.said.length]' });
    const rows = await stand.inside(id).timeline.events({ kind: 'dialog', limit: 200 });

    expect(click.error).toBeUndefined();
    expect(value).toEqual([1, 5, 100]);
    expect(rows.flatMap(({ said }) => (said?.code === 'confirmOpened' || said?.code === 'dialogsSilenced' ? [said.code] : []))).toEqual([...Array.from({ length: 5 }, () => 'confirmOpened'), 'dialogsSilenced']);
  });

  it('[F6][DI1] only where nobody does anything between: one that asks after each click is shown every time', async () => {
    const id = await stand.open();
    const met: (string | undefined)[] = [];
    for (let count = 0; count < 8; count += 1) {
      const reply = await stand.server.act(id, { kind: 'click', selector: '#c' });
      met.push(reply.dialogs?.[0]?.type ?? reply.error?.code);
      await stand.server.act(id, ANSWER);
    }
    const { value } = await stand.server.act(id, { kind: 'evaluate', fn: 'window.said' });

    expect(value).toEqual(met.map(() => true));
    expect(new Set(met)).toEqual(new Set(['confirm']));
  });
});

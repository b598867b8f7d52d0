import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Stuck</title><button id="dead">Dead</button><button id="plus" onclick="count.textContent = ++n">Plus</button><output id="count">0</output><button id="off" disabled>Off</button><script>let n = 0; const count = document.querySelector('#count');</script>`;
const fixture = useServerFixture(PAGE);
const MISS = { kind: 'click', selector: '#none', timeoutMs: 800 };

/** The message that the tab is stuck, if any. */
const stuck = (id: string) => fixture.inside(id).view().tabs[0]?.stuck?.said;

/** Settles when the tab shows this message. */
async function until(id: string, code: string | undefined): Promise<void> {
  const session = fixture.inside(id);
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (stuck(id)?.code !== code) return;
      off();
      resolve();
    };
    const off = session.onChange.on(look);
    look();
  });
}

async function times(id: string, count: number, action: object): Promise<void> {
  for (let done = 0; done < count; done += 1) await fixture.server.act(id, action);
}

describe('an agent that gets nowhere', () => {
  it('[CO9] is shown as stuck at its third failure in a row, on the timeline once, and no longer when something works', async () => {
    const id = await fixture.open();
    await times(id, 2, MISS);
    const before = stuck(id);
    const { error } = await fixture.server.act(id, { ...MISS, id: 'once more', note: 'really' });
    const third = stuck(id);
    await times(id, 1, MISS);
    const rows = await fixture.server.api('GET', `/api/v1/sessions/${id}/timeline?kind=stuck`);
    const { url, control } = fixture.inside(id).view().tabs[0] ?? {};
    await fixture.server.act(id, { kind: 'click', selector: '#plus' });

    expect([before, third, stuck(id)]).toEqual([
      undefined,
      { code: 'agentFails', name: control?.holder?.name, times: 3, error: error?.code },
      undefined,
    ]);
    expect(rows.body).toMatchObject([
      { text: expect.stringContaining('failed each time'), said: { code: 'agentFails' }, tab: 't1' },
    ]);
    expect(url).toBe(fixture.url);
  });

  it('[CO9] is not stuck any more when a person takes the lease, nor are a person’s own failures', async () => {
    const id = await fixture.again();
    await times(id, 3, MISS);
    const before = stuck(id)?.code;
    await fixture.control(id, { do: 'take' });

    expect([before, stuck(id)]).toEqual(['agentFails', undefined]);
  });

  it('[CO9] is stuck after the same action twelve times without a change of the page; a change or another action ends it', async () => {
    const id = await fixture.again();
    await times(id, 18, { kind: 'click', selector: '#plus' });
    const counting = stuck(id);
    await times(id, 12, { kind: 'click', selector: '#dead' });
    await until(id, 'agentRepeats');
    const shown = stuck(id);
    await fixture.server.act(id, { kind: 'click', selector: '#plus' });

    expect([counting, shown?.code, stuck(id)]).toEqual([undefined, 'agentRepeats', undefined]);
  }, 60_000);

  it('[CO9] is not reported where the policy says so', async () => {
    const { id } = z
      .object({ id: z.string() })
      .parse(
        (await fixture.server.api('POST', '/api/v1/sessions', { url: fixture.url, policy: { noticeStuck: false } }))
          .body,
      );
    await times(id, 4, MISS);

    expect(stuck(id)).toBeUndefined();
  });
});

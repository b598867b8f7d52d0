import { describe, expect, it } from 'vitest';
import { useStand } from '@/server/testing/stand';

/** The debugger that stands ready for a takeover (CO3) must not be felt by pages. */

const STOPS = `<!doctype html><meta charset="utf-8"><title>Stops</title><script>debugger; window.past = 1</script><button id="b" onclick="debugger; window.past += 1">Press</button>`;

const stand = useStand(STOPS);

describe('the debugger while an agent has the wheel', () => {
  it("[CO3][AC3] a page's own debugger statement stops nothing, in whatever process a site is shown", async () => {
    const { server, url } = stand;
    const sites = [url, url.replace('127.0.0.1', 'localhost'), url, url.replace('127.0.0.1', 'sub.localhost')];
    const id = await stand.open();
    const seen: unknown[] = [];
    for (const site of sites) {
      const went = await server.act(id, { kind: 'navigate', url: site });
      const pressed = await server.act(id, { kind: 'click', selector: '#b' });
      const past = await server.act(id, { kind: 'evaluate', fn: 'window.past' });
      seen.push([went.error?.code, pressed.error?.code, past.value]);
    }

    expect(seen).toEqual(sites.map(() => [undefined, undefined, 2]));
  }, 60_000);
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const textOf = async (page: SnapshotPage, interactive = false): Promise<string[]> =>
  (await page.snapshots.take(budgetOf(30_000), { interactive })).text.split('\n');

const RADIOS = `<style>.h{display:none}</style><label><input type=radio name=s class=h checked>Small</label><label><input type=radio name=s class=h>Large</label><input type=checkbox id=k class=h disabled><label for=k>Agree</label>`;

/** The first lines, whatever numbers the refs have. */
const shown = async (page: SnapshotPage, count: number): Promise<string[]> =>
  (await textOf(page)).slice(0, count).map((line) => line.replace(/\[ref=\w+\]/, '[ref]'));

/** What follows, so that the page is read whole or in part. */
const SIZES: [string, string][] = [
  ['whole', ''],
  ['in part, since it is large', `<div hidden>${'<i></i>'.repeat(21_000)}</div>`],
];

describe('elements with hidden content', () => {
  it.each(SIZES)(
    '[SN1] custom elements have the roles, names and states of their internals, on a page that is read %s',
    { timeout: 90_000 },
    async (_, more) => {
      const page = await fixture.page(`<x-switch>Wifi</x-switch><x-button></x-button><x-plain>Plain</x-plain><script>
      customElements.define('x-switch', class extends HTMLElement { constructor() { super(); Object.assign(this.attachInternals(), { role: 'switch', ariaChecked: 'true' }); } });
      customElements.define('x-button', class extends HTMLElement { constructor() { super(); Object.assign(this.attachInternals(), { role: 'button', ariaLabel: 'Send', ariaDisabled: 'true' }); } });
      customElements.define('x-plain', class extends HTMLElement {});</script>${more}`);
      await expect
        .poll(() => shown(page, 3), { timeout: 40_000 })
        .toEqual(['- switch "Wifi" [checked] [ref]', '- button "Send" [disabled] [ref]', '- text "Plain"']);
    },
  );

  it.each(SIZES)(
    '[SN1] content of closed shadow roots is listed, at any depth, with refs that act, on a page that is read %s',
    { timeout: 90_000 },
    async (_, more) => {
      const page =
        await fixture.page(`<button>Before</button><div id=host>Not shown<b slot=light>Light</b></div><button>After</button><script>
      const outer = host.attachShadow({ mode: 'closed' });
      outer.innerHTML = '<h2>Inside</h2><slot name=light></slot><div id=inner></div><div class=card style="cursor:pointer">Card</div><p id=listening>Listening</p>';
      outer.getElementById('inner').attachShadow({ mode: 'closed' }).innerHTML = '<button>Press</button>';
      outer.getElementById('listening').addEventListener('click', () => {});
      outer.addEventListener('click', (event) => { document.title = event.target.className || event.target.id; });</script>${more}`);
      // A machine under load may not get into all of them in time, and says so; the next look does.
      await expect
        .poll(() => shown(page, 7), { timeout: 40_000 })
        .toEqual([
          '- button "Before" [ref]',
          '- heading "Inside" [level=2]',
          '- text "Light"',
          '- button "Press" [ref]',
          '- generic "Card" [cursor=pointer] [ref]',
          '- paragraph "Listening" [ref]',
          '- button "After" [ref]',
        ]);
      const lines = await textOf(page);
      const refOf = (name: string): string =>
        /ref=(e\d+)/.exec(lines.find((line) => line.includes(`"${name}"`)) ?? '')?.[1] ?? '';
      const { object } = await page.acting.send('DOM.resolveNode', {
        backendNodeId: page.refs.lookup(refOf('Card')).backendNodeId,
      });
      await page.acting.send('Runtime.callFunctionOn', {
        objectId: object.objectId ?? '',
        functionDeclaration: 'function () { this.click(); }',
      });
      expect(await page.run('document.title')).toBe('card');
    },
  );

  it('[SN1] a canvas that can be pressed can be acted on, with its fallback buttons; one that only displays something cannot', async () => {
    const page =
      await fixture.page(`<canvas id=board aria-label=Board></canvas><canvas aria-label=Chart></canvas><canvas role=button aria-label=Play></canvas><canvas tabindex=0 aria-label=Game></canvas>
      <canvas><button>Zoom</button></canvas><script>board.addEventListener('pointerdown', () => {}); board.addEventListener('click', () => {});</script>`);
    expect(await textOf(page, true)).toEqual([
      '- canvas "Board" [ref=e1]',
      '- button "Play" [ref=e3]',
      '- canvas "Game" [ref=e4]',
      '- button "Zoom" [ref=e6]',
    ]);
  });

  it.each(SIZES)(
    '[SN1] labels represent radio buttons and check boxes that are not rendered, on a page that is read %s',
    { timeout: 90_000 },
    async (_, more) => {
      const page = await fixture.page(`${RADIOS}${more}`);
      expect((await textOf(page)).slice(0, 3)).toEqual([
        '- radio "Small" [checked] [ref=e1]',
        '- radio "Large" [ref=e2]',
        '- checkbox "Agree" [disabled] [ref=e3]',
      ]);
    },
  );
});

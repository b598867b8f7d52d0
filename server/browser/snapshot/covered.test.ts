import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { budgetOf, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const textOf = async (page: SnapshotPage): Promise<string> =>
  (await page.snapshots.take(budgetOf(15_000), { interactive: true })).text;

describe('covered', () => {
  it('[SN2] marks elements wholly below another, and not those around or beside it', async () => {
    const page = await fixture.page(
      '<style>*{margin:0} button{width:100px;height:30px;display:block}</style><button>Under</button><button>Half</button><button>Free</button><div id=veil style="position:fixed;inset:0 0 auto;height:45px"></div>',
    );
    const before = await page.snapshots.take(budgetOf(15_000), { interactive: true });
    await page.run('veil.remove()');
    const after = await page.snapshots.take(budgetOf(15_000), { interactive: true });
    expect([before.text, after.text, after.revision - before.revision]).toEqual([
      '- button "Under" [covered] [ref=e1]\n- button "Half" [ref=e2]\n- button "Free" [ref=e3]',
      '- button "Under" [ref=e1]\n- button "Half" [ref=e2]\n- button "Free" [ref=e3]',
      1,
    ]);
  });

  it.each([
    ['a text grew', `veil.textContent = 'words '.repeat(12)`, '"One" [covered] "Two"'],
    ['a text stood out of its box', `box.textContent = 'words '.repeat(20)`, '"One" [covered] "Two"'],
    [
      'a text grew as a rule was edited',
      `veil.textContent = 'words '.repeat(20); document.styleSheets[0].cssRules[1].style.pointerEvents = 'none'`,
      '"One" "Two"',
    ],
    ['only a rule was edited', `document.styleSheets[0].cssRules[1].style.width = '100%'`, '"One" [covered] "Two"'],
    ['the window moved', 'scrollTo(0, 30)', '"Two"'],
  ])('[SN2] is renewed when %s, as if all were read', async (_, script, lines) => {
    const page =
      await fixture.page(`<style>*{margin:0} #veil{position:fixed;top:0;left:0;background:#fff;font:13px/40px monospace} button{width:100px;height:30px;display:block} #box{position:fixed;top:0;left:0;width:1px;font:40px/30px monospace;white-space:nowrap}</style>
      <button>One</button><button>Two</button><div style="height:2000px"></div><div id=veil>v</div><div id=box>v</div>`);
    await textOf(page);
    for (const text of ['v', 'w', 'v']) {
      await page.run(`veil.firstChild.data = '${text}'`);
      await textOf(page);
    }
    await page.run(script);
    const again = await textOf(page);
    page.snapshots.forget();
    expect([
      again,
      again
        .replaceAll(/- button |\[ref=.*?\]|# .*$|".*" \[offscreen\]/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]).toEqual([await textOf(page), lines]);
  });

  it('[SN2] is left out when it is uncertain: scrolled away, clicked through, labels, pointer-events', async () => {
    const page = await fixture.page(`<style>*{margin:0}</style>
      <div style="height:60px;overflow:auto"><div style="height:100px"></div><button>Scrolled away</button></div><p style="height:80px">words</p>
      <div style="position:relative"><button>Glass above</button><i style="position:absolute;inset:0;pointer-events:none"></i></div>
      <label style="position:relative;display:block"><input type=checkbox style="position:absolute;inset:0;opacity:0"><b style="position:absolute;inset:0;background:#fff">Box</b>&nbsp;</label>
      <button><span>Own content</span></button><a href="#x"><img alt="Picture" width=50 height=20></a>`);
    expect((await textOf(page)).includes('covered')).toBe(false);
  });

  it('[SN2] is marked inside subframes', async () => {
    const inner = fixture.put(
      '/covered-inner',
      '<style>*{margin:0}</style><button style="width:90px;height:40px">In</button><div style="position:fixed;inset:0"></div>',
    );
    const page = await fixture.page(`<iframe src="${inner}" style="border:0;width:100px;height:50px"></iframe>`);
    expect(await textOf(page)).toBe('- button "In" [covered] [ref=f1e2]');
  });

  it('[GU3] a page that replaced built-in functions changes nothing', async () => {
    const page = await fixture.page(
      '<button>Under</button><div style="position:fixed;inset:0"></div><script>Document.prototype.elementFromPoint = document.querySelectorAll = () => { throw new Error("mine") }</script>',
    );
    expect(await textOf(page)).toBe('- button "Under" [covered] [ref=e1]');
  });
});

describe('active', () => {
  it('[SN2] is the element with the focus, in shadow roots too', async () => {
    const page = await fixture.page(
      '<input aria-label=One><div id=host></div><script>host.attachShadow({mode:"open"}).innerHTML = "<input aria-label=Two>"</script>',
    );
    await page.run('document.querySelector("input").focus()');
    const one = await textOf(page);
    await page.run('host.shadowRoot.querySelector("input").focus()');
    expect([one, await textOf(page)]).toEqual([
      '- textbox "One" [active] [ref=e1]\n- textbox "Two" [ref=e2]',
      '- textbox "One" [ref=e1]\n- textbox "Two" [active] [ref=e2]',
    ]);
  });
});

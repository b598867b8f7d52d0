import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { monotonicClock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';
import { lightLoop } from '@/server/testing/light-loop';
import { sized } from '@/server/testing/sized';
import { budgetOf, NO_OTHERS, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';
import { TabSnapshots } from './tab-snapshots';
import type { TakeOptions } from './take-options';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const take = (page: SnapshotPage, options: TakeOptions = {}, timeoutMs = 20_000) =>
  page.snapshots.take(budgetOf(timeoutMs), options);

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof WheelhouseError ? error.code : 'no error of ours';
}

const rows = (count: number): string =>
  `<!doctype html><title>Rows</title><h1>Rows</h1><ul>${Array.from({ length: count }, (_, index) => `<li><button>Row ${index}</button></li>`).join('')}</ul>`;

/** As many elements as make a page large, none of which is shown: cheaper than as many rows. */
const unseen = (count: number): string => `<div hidden>${'<i></i>'.repeat(count)}</div>`;
const LARGE = rows(600) + unseen(20_000);

/** Resolves after `ms`; shows which of two promises came first. */
const marker = (ms: number): Promise<'marker'> =>
  new Promise((resolve) => monotonicClock.after(ms, () => resolve('marker')));

describe('large pages', () => {
  it(
    '[SN10] of many elements (100 000 in the proof) answer within the budget with the part in view, and say what is missing',
    { timeout: 90_000 },
    async () => {
      const page = await fixture.page(rows(sized(11_000, 50_000)));
      const first = await Promise.race([take(page), marker(25_000)]);
      if (first === 'marker') throw new Error('The snapshot took longer than its budget.');
      const how =
        /^Only what is in view is listed(?:, and not all of that)?, because this page is large: it has more than 20000 elements\. Scroll to see more of it\.$/;
      const lines = first.text.split('\n');
      expect(first.truncated?.how).toMatch(how);
      expect([lines.slice(0, 3), lines.at(-1), first.source.kind, first.stats.interactive < 60]).toEqual([
        ['- heading "Rows" [level=1]', '- list [ref=e1]', '  - button "Row 0" [ref=e2]'],
        `# ${first.truncated?.how}`,
        'dom',
        true,
      ]);
    },
  );

  it(
    '[SN10] of many elements out of view (1 000 000 in the proof) answer in the same way',
    { timeout: 120_000 },
    async () => {
      const page = await fixture.page(
        '<!doctype html><title>Million</title><h1>Million</h1><button>Go on</button><div id=many hidden></div>',
      );
      await page.run(
        `{ let part = document.createElement('div'); for (let n = 0; n < 999; n += 1) part.append(document.createElement('i')); for (let n = 0; n < ${sized(50, 1_000)}; n += 1) many.append(part.cloneNode(true)); }`,
      );
      const { text, truncated, source } = await take(page, {}, 60_000);
      expect([text.split('\n').slice(0, 2), truncated?.how, source.kind]).toEqual([
        ['- heading "Million" [level=1]', '- button "Go on" [ref=e1]'],
        expect.stringMatching(
          /^Only what is in view is listed.* it has more than 20000 elements\. Scroll to see more of it\.$/,
        ),
        'dom',
      ]);
    },
  );

  it(
    '[SN10] do not ask custom elements for their states when that would block the page for a second, and say so',
    { timeout: 90_000 },
    async () => {
      const page = await fixture.page(
        `<x-a>Own</x-a><x-b>Plain</x-b><script>customElements.define('x-a', class extends HTMLElement {})</script>${rows(600)}${unseen(40_000)}`,
      );
      expect((await take(page)).truncated?.how).toMatch(
        /Scroll to see more of it\. What custom elements \(1\) say of themselves by script is not listed\.$/,
      );
    },
  );

  it('[SN10] show another part after scrolling, with refs that act', { timeout: 90_000 }, async () => {
    const middle = sized(400, 30_000);
    const page = await fixture.page(sized(LARGE, rows(50_000)));
    await take(page);
    await page.run(
      `document.querySelectorAll("button")[${middle}].scrollIntoView(); for (const b of document.querySelectorAll("button")) b.onclick = () => { document.title = b.textContent; }`,
    );
    const { refs } = await take(page);
    const wanted = refs.find((ref) => ref.name === `Row ${middle}`);
    const { backendNodeId } = page.refs.lookup(wanted?.ref ?? '');
    const { object } = await page.acting.send('DOM.resolveNode', { backendNodeId });
    await page.acting.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration: 'function () { this.click(); }',
    });
    expect(await page.run('document.title')).toBe(`Row ${middle}`);
  });

  it("[SN10] are searched whole when positions do not follow the document's order", { timeout: 90_000 }, async () => {
    const page = await fixture.page('<div id=u></div>');
    const inView = z.array(z.string()).parse(
      await page.run(`(() => {
      let html = '';
      for (let at = 0; at < 21000; at++) html += '<button style="position:absolute;left:' + ((at * 7919) % 700) + 'px;top:' + ((at * 104729) % 100000) + 'px">B' + at + '</button>';
      u.innerHTML = html;
      scrollTo(0, 40000);
      const seen = (element) => { const box = element.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth; };
      return [...u.children].filter(seen).map((button) => button.textContent).sort();
    })()`),
    );
    const { refs, truncated } = await take(page);
    const listed = new Set(refs.map((ref) => ref.name));
    // A machine under load may not get through all of them in time; then the answer has to say so.
    const whole = inView.every((name) => listed.has(name)) || truncated?.how.includes('and not all of that');
    expect([whole, listed.size > 10, [...listed].filter((name) => !inView.includes(name))]).toEqual([true, true, []]);
  });

  it(
    '[SN10] are followed where the content overflows its box, or is fixed to the window',
    { timeout: 90_000 },
    async () => {
      const page = await fixture.page(
        `<style>html, body, #app { height: 100% } #bar { position: fixed; top: 0 }</style><div id=app><div id=top style="height:20px"><button id=bar>Bar</button></div>${LARGE}</div>`,
      );
      await page.run('document.querySelectorAll("li button")[300].scrollIntoView()');
      const { refs } = await take(page);
      expect(['Bar', 'Row 300', 'Row 305', 'Row 200'].map((name) => refs.some((ref) => ref.name === name))).toEqual([
        true,
        true,
        true,
        false,
      ]);
    },
  );

  it('[SN10] are counted with their subframes', { timeout: 90_000 }, async () => {
    const inner = fixture.put('/large-frame', LARGE);
    const page = await fixture.page(`<iframe title=Large src="${inner}" width=400 height=300></iframe>`);
    const { text, source } = await take(page);
    expect([source.kind, text.split('\n').slice(0, 3)]).toEqual([
      'dom',
      ['- iframe "Large" [ref=e1]', '  - heading "Rows" [level=1]', '  - list [ref=f1e2]'],
    ]);
  });

  it('[SN10] are counted even if they replace the functions for counting', { timeout: 90_000 }, async () => {
    const page =
      await fixture.page(`<form>${['attributes', 'shadowRoot', 'childNodes', 'children', 'getAttribute', 'nodeType', 'parentNode'].map((name) => `<input name=${name} aria-label=${name}>`).join('')}</form>
      <script>Document.prototype.createTreeWalker = () => { throw new Error('no'); }; Object.defineProperty(Element.prototype, 'shadowRoot', { get() { throw new Error('no'); } }); JSON.stringify = () => 'no';
      Element.prototype.getBoundingClientRect = () => { throw new Error('no'); };</script>${LARGE}`);
    const { text, source } = await take(page);
    expect([source.reason, text.split('\n').slice(0, 2)]).toEqual([
      'Only what is in view was read, from the DOM: it has more than 20000 elements.',
      ['- form [ref=e1]', '  - textbox "attributes" [ref=e2]'],
    ]);
  });

  it('[SN6] mask secrets too, and leave out elements out of view', { timeout: 90_000 }, async () => {
    const page = await fixture.page(
      `<label>Pin <input autocomplete=one-time-code value=493817></label><div class=c style="cursor:pointer">Card</div>${LARGE}<p>end of page</p>`,
    );
    const view = await take(page);
    const all = JSON.stringify(view);
    expect([view.text.split('\n').slice(0, 2), all.includes('493817'), all.includes('end of page')]).toEqual([
      ['- textbox "Pin" [ref=e1] [value=masked]', '- generic "Card" [cursor=pointer] [ref=e2]'],
      false,
      false,
    ]);
  });

  it('[SN10] are read in part when most of a page is in closed shadow roots, and the page after it is read whole', async () => {
    const page = await fixture.page('<button>First</button><div id=host></div>');
    await page.run(`{
      const part = document.createElement('div');
      part.append(...Array.from({ length: 1000 }, () => document.createElement('i')));
      const root = host.attachShadow({ mode: 'closed' });
      root.append(...Array.from({ length: 210 }, () => part.cloneNode(true)));
    }`);
    const large = await take(page);
    // Chrome keeps the large page for the way back, in the same process.
    await page.goto(fixture.put('/after', '<button>Second</button>'));
    const after = await take(page);
    expect([large.source.reason, after.text, after.source.kind]).toEqual([
      'Only what is in view was read, from the DOM: it hides more than 200000 nodes.',
      '- button "Second" [ref=e2]',
      'mixed',
    ]);
  });

  it('[SN10] are read in part when the time is too short for all of them', async () => {
    // Chrome needs 3.8 s for so many elements by our estimate, and half of the time is for that.
    const page = await fixture.page(rows(50) + unseen(19_000));
    const { source } = await take(page, {}, 7_000);
    expect(source.reason).toMatch(
      /^Only what is in view was read, from the DOM: \d+ ms are too short for its 191\d\d elements\.$/,
    );
  });
});

describe('long answers of Chrome', () => {
  it(
    '[SN10] are parsed part by part, and no text of a page is taken for the place between two parts',
    { timeout: 60_000 },
    async () => {
      const page = await fixture.page('<div id=u></div>');
      await page.run(
        `{ const make = (at) => { const button = document.createElement('button'); button.textContent = '"},{"nodeId":"' + at + '","'; return button; }; u.append(...Array.from({ length: 1_500 }, (_, at) => make(at))); }`,
      );
      const { refs, source } = await take(page, { maxChars: 200_000 });
      const names = refs.map(({ name }) => name);
      expect([source.kind, names.length, names[0], names.at(-1)]).toEqual([
        'mixed',
        1_500,
        '"},{"nodeId":"0","',
        '"},{"nodeId":"1499","',
      ]);
    },
  );
});

describe('pages that do not answer', () => {
  it('[BU3] end with TIMEOUT while a script loops, and are read again afterwards', async () => {
    const page = await fixture.page('<button>A</button>');
    const order: string[] = [];
    const ended = (): number => order.push('loop ended');
    const loop = page.acting
      .send('Runtime.evaluate', { expression: await lightLoop(), timeout: 2_000 })
      .then(ended, ended);
    order.push(await codeOf(take(page, {}, 500)), await codeOf(take(page, {}, 300)));
    await loop;
    expect([order, (await take(page)).text]).toEqual([['TIMEOUT', 'TIMEOUT', 'loop ended'], '- button "A" [ref=e1]']);
  });

  it('[SN1] that are replaced all the time still give a snapshot of one document, with refs of that document', async () => {
    for (const name of ['One', 'Two', 'Three'])
      fixture.put(`/${name}`, `<button>${name}</button><p>${name}</p>`.repeat(30));
    const page = await fixture.page();
    const walk = (async () => {
      for (let round = 0; round < 4; round += 1)
        for (const name of ['One', 'Two', 'Three']) await page.goto(`${fixture.origin}/${name}`);
    })();
    const mixed: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const view = await take(page);
      const names = new Set(view.text.match(/One|Two|Three/g));
      if (names.size > 1 || (names.size === 1 && !view.url.endsWith(`/${[...names].join()}`))) mixed.push(view.text);
    }
    await walk;
    expect(mixed).toEqual([]);
  });

  it('[SN1] that failed to load are read as well', async () => {
    const page = await fixture.page();
    await page.acting.send('Page.navigate', { url: 'http://127.0.0.1:1/' });
    const { text } = await take(page);
    expect(text).toMatch(/heading|text/);
  });

  it('[AC8] that are closed give an error that says so', async () => {
    const page = await fixture.page('<button>A</button>');
    await page.acting.send('Page.close');
    expect(await codeOf(take(page))).toBe('TAB_NOT_FOUND');
    await new Promise((resolve) => page.acting.onEnd(resolve));
  });
});

describe('when Chrome refuses a part', () => {
  const PAGE = `<h1>Pay</h1><form aria-label=Card><label>Number <input autocomplete=cc-number value=4111></label><label>Note <input value=hello></label><button>Pay</button></form><p>Read <a href=/terms>terms</a></p>`;

  /** The same Chrome, through a session that is refused one method. */
  async function refused(method: string): Promise<TabSnapshots> {
    const page = await fixture.page(PAGE);
    const refusing = fixture.refusing(page, method);
    const currentDocument = () => ({ frameId: page.targetId, loaderId: '', url: '' });
    return new TabSnapshots({
      session: refusing,
      refs: page.refs,
      targetId: page.targetId,
      clock: monotonicClock,
      frames: NO_OTHERS,
      currentDocument,
      title: () => '',
    });
  }

  const whole = [
    '- heading "Pay" [level=1]',
    '- form "Card" [ref=e1]',
    '  - textbox "Number" [ref=e2] [value=masked]',
    '  - textbox "Note" [ref=e3] [value="hello"]',
    '  - button "Pay" [ref=e4]',
    '- paragraph',
    '  - text "Read"',
    '  - link "terms" [ref=e5]',
  ];

  it('[SN1] the DOM path alone gives the same format', async () => {
    const snapshots = await refused('Accessibility.getFullAXTree');
    const { text, source } = await snapshots.take(budgetOf(10_000));
    expect([text.split('\n'), source]).toEqual([
      whole,
      { kind: 'dom', reason: 'Accessibility failed: Accessibility.getFullAXTree: refused by the test' },
    ]);
  });

  it('[SN6] without the DOM pass no value of a text field is shown', async () => {
    const snapshots = await refused('DOMSnapshot.captureSnapshot');
    const { text, source } = await snapshots.take(budgetOf(10_000));
    expect([text.split('\n').filter((line) => line.includes('value')), source.kind]).toEqual([
      ['  - textbox "Number" [ref=e2] [value=masked]', '  - textbox "Note" [ref=e3] [value=masked]'],
      'ax',
    ]);
  });
});

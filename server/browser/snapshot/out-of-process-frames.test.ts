import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { lightLoop } from '@/server/testing/light-loop';

const ENDLESS = await lightLoop();
let bench: ActionBench;
let budget: Budget;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());
beforeEach(() => bench.show('empty'));

/** Waits until this many frames of other processes have a document and a known element. */
async function framesThere(count: number): Promise<void> {
  const { frames } = bench.tab;
  const there = (): boolean =>
    frames
      .list()
      .filter(
        ({ targetId, loaderId, ownerBackendNodeId }) =>
          targetId !== bench.tab.targetId && loaderId !== '' && ownerBackendNodeId !== undefined,
      ).length >= count;
  while (!there()) await new Promise<void>((resolve) => frames.onChange.on(() => resolve()));
}

async function text(): Promise<string> {
  return (await bench.tab.snapshots.take(budget)).text;
}

beforeEach(() => {
  budget = newBudget(20_000);
});

it('[SN5] frames of other sites, also nested ones, are at their place, with labelled refs', async () => {
  await bench.show(`<h1>Main</h1><iframe title="Pay" src="${bench.elsewhere}/mid"></iframe><button>After</button>`, {
    '/mid': `<button>Middle</button><iframe title="Code" src="${bench.origin}/leaf"></iframe><input type="password" aria-label="Secret" value="hidden1">`,
    '/leaf': '<input aria-label="Name" value="Lin">',
  });
  await framesThere(2);
  expect((await text()).replaceAll(/e\d+\]/g, 'e]').replaceAll(/ref=f\d+/g, 'ref=f')).toBe(
    [
      '- heading "Main" [level=1]',
      '- iframe "Pay" [ref=e]',
      '  - button "Middle" [ref=fe]',
      '  - iframe "Code" [ref=fe]',
      '    - textbox "Name" [ref=fe] [value="Lin"]',
      '  - textbox "Secret" [offscreen] [ref=fe] [value=masked]',
      '- button "After" [ref=e]',
    ].join('\n'),
  );
});

it('[SN5] a frame that hangs is missing alone, and the page says so', async () => {
  await bench.show(`<h1>Main</h1><iframe title="Ad" src="${bench.elsewhere}/ad"></iframe><button>After</button>`, {
    '/ad': '<p>ad</p>',
  });
  await framesThere(1);
  const [frame] = bench.tab.frames.targets();
  const looping = frame?.sessions.evaluate.send('Runtime.evaluate', { expression: ENDLESS }).catch(() => undefined);
  const shown = await text();
  await bench.tab.unhang(budget, 3_000);
  await looping;
  expect(shown).toMatch(
    /Main[^]*iframe "Ad"[^]*button "After"[^]*# The content of one frame from another site is not listed\./,
  );
});

it('[SN5] elements in a frame of another site can be acted on by ref, and by role, name and frame', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in':
      '<input aria-label="Code"><button onclick="window.sent = document.querySelector(\'input\').value">Send</button>',
  });
  await framesThere(1);
  const { refs } = await bench.tab.snapshots.take(budget);
  const ref = refs.find(({ name }) => name === 'Code')?.ref;
  const typed = await bench.run({ kind: 'type', ref, text: 'A7' });
  const clicked = await bench.run({ kind: 'click', role: 'button', name: 'Send', frame: /^f\d+/.exec(ref ?? '')?.[0] });
  expect([typed.error?.message, clicked.error?.message, await bench.readIn('/in', 'sent')]).toEqual([
    undefined,
    undefined,
    'A7',
  ]);
});

it('[SN5] a frame that appeared, or could be read, only after the page was read is in the next snapshot, though the page did not change', async () => {
  await bench.show(`<iframe title="Ad" src="${bench.elsewhere}/ad"></iframe><button>After</button>`, {
    '/ad': '<p>ad text</p>',
  });
  await framesThere(1);
  const [frame] = bench.tab.frames.targets();
  const looping = frame?.sessions.evaluate.send('Runtime.evaluate', { expression: ENDLESS }).catch(() => undefined);
  const without = await text();
  await frame?.sessions.sentinel.send('Runtime.terminateExecution');
  await looping;

  expect(without).not.toContain('ad text');
  await expect.poll(text, { timeout: 10_000 }).toContain('ad text');
});

const AT = `<iframe title="Pay" src="/in" style="position: absolute; left: 100px; top: 50px; width: 300px; height: 200px; border: 10px solid; padding: 0; transform: scale(0.5); transform-origin: 0 0"></iframe>`;

it("[SN9] boxes in a frame of another site are in the tab's coordinates, and labels are drawn there", async () => {
  await bench.show(AT.replace('/in', `${bench.elsewhere}/in`), {
    '/in':
      '<button style="position: absolute; left: 20px; top: 40px; width: 60px; height: 30px">Inner</button><button style="position: absolute; top: 900px">Away</button>',
  });
  await framesThere(1);
  await bench.frame('/in');
  const { refs } = await bench.tab.snapshots.take(budget, { boxes: true });
  const boxOf = (wanted: string) => refs.find(({ name }) => name === wanted)?.box;
  expect([boxOf('Inner'), boxOf('Away')]).toEqual([{ x: 115, y: 75, width: 30, height: 15 }, undefined]);
  const { error, outcome } = await bench.run({ kind: 'screenshot', labels: true });
  expect([error?.message, outcome?.value]).toMatchObject([
    undefined,
    { labels: [{ name: 'Inner', box: { x: 115, y: 75 } }] },
  ]);
});

/** How often each of them is read whole while something is done. */
async function wholeReads(sessions: readonly CdpSession[], work: () => Promise<unknown>): Promise<number[]> {
  const spies = sessions.map((session) => vi.spyOn(session, 'send'));
  await work();
  const counts = spies.map(
    (spy) => spy.mock.calls.filter(([method]) => method === 'Accessibility.getFullAXTree').length,
  );
  for (const spy of spies) spy.mockRestore();
  return counts;
}

it('[SN1] unchanged frames are not read again when the page changes, nor the page when only a frame does, nor any when nothing does', async () => {
  await bench.show(`<button>Main</button><iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': '<button>Inner</button>',
  });
  await framesThere(1);
  const { sessions } = await bench.frame('/in');
  const both = [bench.tab.sessions.bulk, sessions.bulk];
  await text();
  const { revision } = await bench.tab.snapshots.take(budget);
  const none = await wholeReads(both, text);
  const same = (await bench.tab.snapshots.take(budget)).revision;
  await bench.read('void (document.querySelector("button").textContent = "Main 2")');
  const outer = await wholeReads(both, text);
  await bench.readIn('/in', 'void (document.querySelector("button").textContent = "Inner 2")');
  const inner = await wholeReads([bench.tab.sessions.bulk], text);
  expect([none, same, outer[1], inner[0]]).toEqual([[0, 0], revision, 0, 0]);
  expect(await text()).toMatch(/button "Main 2"[^]*iframe[^]*button "Inner 2"/);
});

const COVER = '<div style="position: fixed; inset: 0; background: white">Over all</div>';

it('[SN2] covered is marked in a frame of another site: by an element of the frame, and by one over the frame', async () => {
  const inner =
    '<button>One</button><button style="position: absolute; left: 0; top: 100px; width: 80px; height: 30px">Two</button><div style="position: absolute; left: 0; top: 90px; width: 100px; height: 60px; background: white"></div>';
  await bench.show(`<iframe src="${bench.elsewhere}/in" style="width: 300px; height: 200px"></iframe>`, {
    '/in': inner,
  });
  await framesThere(1);
  await bench.frame('/in');
  const partly = await text();
  await bench.read(`void document.body.insertAdjacentHTML('beforeend', '${COVER}')`);
  const wholly = await text();
  expect(partly).toMatch(/button "One" \[ref[^]*button "Two" \[covered\]/);
  expect(wholly).toMatch(/button "One" \[covered\][^]*button "Two" \[covered\]/);
});

it.each([
  ['another site', () => bench.elsewhere],
  ['the same site', () => bench.origin],
])(
  '[SN2] marks elements covered by a page element over a part of a frame of %s, as a click reports',
  async (_, origin) => {
    const button = (name: string, top: number): string =>
      `<button style="position: absolute; left: 0; top: ${top}px; width: 80px; height: 30px">${name}</button>`;
    const lid = (top: number, more: string): string =>
      `<div style="position: absolute; left: 10px; top: ${top}px; width: 300px; height: 50px; background: white; ${more}">Bar</div>`;
    await bench.show(
      `<style>body { margin: 0 }</style><div style="position: absolute; top: 20px; left: 10px; height: 160px; overflow: clip"><iframe src="${origin()}/in" style="width: 300px; height: 200px; border: 2px solid"></iframe></div>
    ${lid(60, '')}${lid(110, 'pointer-events: none')}<div style="position: absolute; top: 180px; width: 400px; height: 60px; background: white"></div>`,
      {
        '/in': `<style>body { margin: 0 }</style>${button('Free', 5)}${button('Under', 45)}${button('Through', 95)}${button('Cut away', 168)}`,
      },
    );
    await bench.frame('/in');
    if (origin() === bench.elsewhere) await framesThere(1);
    const { refs, text: shown } = await bench.tab.snapshots.take(budget);
    const refOf = (name: string): string | undefined => refs.find((ref) => ref.name === name)?.ref;
    const click = async (name: string): Promise<string | undefined> =>
      (await bench.run({ kind: 'click', ref: refOf(name) }, { timeoutMs: 3_000 })).error?.code;
    const clicks = [await click('Free'), await click('Under')];
    expect([shown.split('\n').flatMap((line) => (line.includes('[covered]') ? [line.trim()] : [])), clicks]).toEqual([
      [expect.stringMatching(/^- button "Under" \[covered\]/)],
      [undefined, 'COVERED'],
    ]);
  },
);

it('[SN2] active is marked on the focused element in a frame of another site, and nowhere else', async () => {
  await bench.show(`<button>Main</button><iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': '<input aria-label="Code">',
  });
  await framesThere(1);
  const { error } = await bench.run({
    kind: 'focus',
    ref: await bench.refIn('/in', 'document.querySelector("input")'),
  });
  const shown = await text();
  expect([error?.message, shown.match(/\[active\]/g)?.length, /textbox "Code" [^\n]*\[active\]/.test(shown)]).toEqual([
    undefined,
    1,
    true,
  ]);
});

it('[SN10] of a large frame of another site the part in view is listed, as of a page', async () => {
  await bench.show(`<h1>Main</h1><iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': `<button>First</button>${'<p>row</p>'.repeat(25_000)}`,
  });
  await bench.frame('/in');
  await framesThere(1);
  const { text: shown, refs } = await bench.tab.snapshots.take(budget);
  const clicked = await bench.run({ kind: 'click', ref: refs.find(({ name }) => name === 'First')?.ref });
  expect([
    shown.includes('heading "Main"'),
    /# Only what is in view is listed/.test(shown),
    clicked.error?.message,
  ]).toEqual([true, true, undefined]);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { lightLoop } from '@/server/testing/light-loop';
import { QUICK_HANG } from '@/server/testing/timings';

const ENDLESS = await lightLoop();
let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open(QUICK_HANG.hang);
});
afterAll(() => bench.close());

const HIT = `<button onclick="window.hits = (window.hits ?? 0) + (event.isTrusted ? 1 : 100)">Inner</button>`;

describe('[SN5] acting in a frame of another site', () => {
  it('presses a button where it is on the screen: scrolled to in both documents, inside borders, padding and a scale', async () => {
    await bench.show(
      `<div style="height: 1500px"></div><iframe src="${bench.elsewhere}/in" style="border: 7px solid; padding: 11px; width: 300px; height: 200px; transform: scale(0.8)"></iframe><div style="height: 1500px"></div>`,
      { '/in': `<div style="height: 900px"></div>${HIT}` },
    );
    const ref = await bench.refIn('/in', 'document.querySelector("button")');
    const { error, outcome } = await bench.run({ kind: 'click', ref });
    expect([error?.message, outcome?.via, await bench.readIn('/in', 'hits')]).toEqual([undefined, 'node', 1]);
  });

  it.each(['rotate(40deg)', 'rotate(-90deg) scale(1.3)', 'perspective(600px) rotateY(35deg)', 'skew(20deg, 5deg)'])(
    'presses through a frame with %s',
    async (transform) => {
      await bench.show(
        `<iframe src="${bench.elsewhere}/in" style="margin: 150px; width: 300px; height: 200px; transform: ${transform}"></iframe>`,
        { '/in': `<div style="height: 140px; width: 200px"></div><div style="padding-left: 200px">${HIT}</div>` },
      );
      const { error } = await bench.run({
        kind: 'click',
        ref: await bench.refIn('/in', 'document.querySelector("button")'),
      });
      expect([error?.message, await bench.readIn('/in', 'hits')]).toEqual([undefined, 1]);
    },
  );

  it('presses in a frame within a frame within a frame, each in a process of its own', async () => {
    await bench.show(
      `<p>a</p><iframe src="${bench.elsewhere}/mid" style="width: 500px; height: 300px; zoom: 1.25"></iframe>`,
      {
        '/mid': `<p>b</p><iframe src="${bench.origin}/low" style="width: 400px; height: 200px; border: 5px solid"></iframe>`,
        '/low': `<p>c</p><iframe src="/leaf" style="width: 300px; height: 100px; transform: rotate(10deg)"></iframe>`,
        '/leaf': `<div style="height: 300px"></div>${HIT}`,
      },
    );
    // Its page and that of /low share a process, so it is looked up from there.
    const ref = await bench.refIn('/leaf', 'frames[0].document.querySelector("button")');
    const acted = await bench.run({ kind: 'click', ref });
    expect([acted.error?.message, await bench.readIn('/low', 'frames[0].hits')]).toEqual([undefined, 1]);
  });

  it('[AC3] an element that the page above covers fails with COVERED and names the covering element by ref, role and name', async () => {
    await bench.show(
      `<iframe src="${bench.elsewhere}/in" style="width: 300px; height: 100px"></iframe><div role="dialog" aria-label="Cookies" style="position: fixed; inset: 0"></div>`,
      { '/in': HIT },
    );
    const over = await bench.ref('document.querySelector("[role=dialog]")');
    const ref = await bench.refIn('/in', 'document.querySelector("button")');
    const { error } = await bench.run({ kind: 'click', ref }, { timeoutMs: 3_000 });
    expect([error?.code, error?.message]).toEqual([
      'COVERED',
      `[${ref}] button "Inner" is covered by [${over}] dialog "Cookies".`,
    ]);
    expect(await bench.readIn('/in', 'window.hits')).toBeUndefined();
  });

  it('[AC3] when a bar of the page covers half of the element, the other half is pressed', async () => {
    await bench.show(
      `<iframe src="${bench.elsewhere}/in" style="position: absolute; top: 0; width: 400px; height: 300px; border: 0"></iframe><div style="position: fixed; top: 0; left: 0; right: 0; height: 60px; background: #ddd"></div>`,
      {
        '/in': `<button style="width: 100px; height: 100px" onclick="window.at = event.clientY">Tall</button>`,
      },
    );
    const { error } = await bench.run({
      kind: 'click',
      ref: await bench.refIn('/in', 'document.querySelector("button")'),
    });
    expect([error?.message, await bench.readIn('/in', 'at > 60')]).toEqual([undefined, true]);
  });

  it('[AC3] waits until a moving frame has come to rest', async () => {
    await bench.show(
      `<style>@keyframes slide { from { left: 0 } to { left: 400px } } iframe { position: absolute; left: 400px; animation: slide 1500ms linear }</style><iframe src="${bench.elsewhere}/in" style="width: 200px"></iframe>`,
      { '/in': HIT },
    );
    const { error, targets } = await bench.run({
      kind: 'click',
      ref: await bench.refIn('/in', 'document.querySelector("button")'),
    });
    expect([error?.message, await bench.readIn('/in', 'hits')]).toEqual([undefined, 1]);
    expect(targets[0]?.point?.x).toBeGreaterThan(400);
  });

  it('[AC4] types into its fields, and keys go to the focused element there', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, { '/in': '<input aria-label="In">' });
    const { error } = await bench.run({
      kind: 'type',
      ref: await bench.refIn('/in', 'document.querySelector("input")'),
      text: 'one',
    });
    const more = await bench.run({ kind: 'type', text: ' two', mode: 'append' });
    expect([error?.message, more.error?.message, more.targets[0]?.element]).toEqual([
      undefined,
      undefined,
      { ref: expect.any(String), role: 'textbox', name: 'In' },
    ]);
    expect(await bench.readIn('/in', 'document.querySelector("input").value')).toBe('one two');
  });

  it("[SE6] copies from and pastes into it without Chrome's clipboard", async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
      '/in': '<input value="words"><textarea></textarea>',
    });
    await bench.run({ kind: 'focus', ref: await bench.refIn('/in', 'document.querySelector("input")') });
    await bench.run({ kind: 'press', keys: ['Control+A', 'Control+C'] });
    await bench.run({
      kind: 'press',
      key: 'Control+V',
      ref: await bench.refIn('/in', 'document.querySelector("textarea")'),
    });
    expect(await bench.readIn('/in', 'document.querySelector("textarea").value')).toBe('words');
  });

  it('[AC2] a bare point names the element in the frame, even a rotated one, and a scroll there scrolls only the frame', async () => {
    await bench.show(
      `<iframe src="${bench.elsewhere}/in" style="position: absolute; left: 100px; top: 100px; width: 200px; height: 200px; border: 0; transform: rotate(90deg)"></iframe><div style="height: 3000px"></div>`,
      {
        '/in': `<button style="position: absolute; left: 0; top: 0; width: 60px; height: 60px" onclick="window.hits = 1">Corner</button><div style="height: 2000px"></div>`,
      },
    );
    await bench.frame('/in');
    const clicked = await bench.run({ kind: 'click', at: { x: 280, y: 120 } });
    const scrolled = await bench.run({ kind: 'scroll', at: { x: 200, y: 200 }, to: 'bottom' });
    expect([clicked.error?.message, clicked.targets[0]?.element, await bench.readIn('/in', 'hits')]).toEqual([
      undefined,
      { role: 'button', name: 'Corner' },
      1,
    ]);
    expect([scrolled.error?.message, await bench.readIn('/in', 'scrollY'), await bench.read('scrollY')]).toEqual([
      undefined,
      1800,
      0,
    ]);
  });

  it('chooses in its select and checks its box', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
      '/in': '<select aria-label="Size"><option>S<option>M</select><input type="checkbox" aria-label="Gift">',
    });
    const chosen = await bench.run({
      kind: 'select',
      ref: await bench.refIn('/in', 'document.querySelector("select")'),
      values: ['M'],
    });
    const checked = await bench.run({
      kind: 'check',
      ref: await bench.refIn('/in', '(document.querySelector("input"))'),
      checked: true,
    });
    expect([
      chosen.error?.message,
      checked.error?.message,
      await bench.readIn('/in', '[document.querySelector("select").value, document.querySelector("input").checked]'),
    ]).toEqual([undefined, undefined, ['M', true]]);
  });
});

describe('[AC2] naming an element in a frame', () => {
  const two = { '/one': HIT, '/two': `<p>two</p>${HIT}` };

  it.each([
    ['a part of its address', '/two'],
    ['a selector of its frame element', '#second'],
  ])('takes the frame by %s', async (_, frame) => {
    await bench.show(
      `<iframe src="${bench.elsewhere}/one"></iframe><iframe id="second" src="${bench.elsewhere}/two"></iframe>`,
      two,
    );
    const bySelector = await bench.run({ kind: 'click', selector: 'button', frame });
    expect([
      bySelector.error?.message,
      bySelector.outcome?.via,
      await bench.readIn('/one', 'window.hits'),
      await bench.readIn('/two', 'hits'),
    ]).toEqual([undefined, 'selector', undefined, 1]);
  });

  it("takes a role in a frame of the same site by the frame's label, and only there", async () => {
    await bench.show('<button>Inner</button><iframe src="/one"></iframe><iframe src="/two"></iframe>', two);
    await bench.frame('/two');
    const budget = newBudget(5_000);
    const { text } = await bench.tab.snapshots.take(budget, {});
    budget.dispose();
    const frame = /\[ref=(f\d+)e\d+\]$/.exec(text.trimEnd())?.[1];
    const { error } = await bench.run({ kind: 'click', role: 'button', name: 'Inner', frame });
    expect([error?.message, await bench.read('[frames[0].hits ?? 0, frames[1].hits ?? 0]')]).toEqual([
      undefined,
      [0, 1],
    ]);
  });

  it('lists the frames when none or several fit', async () => {
    await bench.show(
      `<iframe src="${bench.elsewhere}/one"></iframe><iframe src="${bench.elsewhere}/two"></iframe>`,
      two,
    );
    await bench.frame('/two');
    const several = await bench.run({ kind: 'click', selector: 'button', frame: 'localhost' });
    const none = await bench.run({ kind: 'click', selector: 'button', frame: '/three' }, { timeoutMs: 2_000 });
    expect([several.error?.code, none.error?.code, none.error?.message]).toEqual([
      'AMBIGUOUS',
      'NODE_GONE',
      'No frame is "/three".',
    ]);
    expect(none.error?.details?.['frames']).toEqual([
      { url: `${bench.elsewhere}/one` },
      { url: `${bench.elsewhere}/two` },
    ]);
  });

  it('accepts a node of one document, and refuses it once that document is gone', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/one"></iframe>`, two);
    const {
      backendNodeId,
      loaderId,
      targetId: target,
    } = bench.tab.refs.lookup(await bench.refIn('/one', 'document.querySelector("button")'));
    const action = { kind: 'click', node: { backendNodeId, loaderId, target } };
    const first = await bench.run(action);
    expect([first.error?.message, first.outcome?.via, await bench.readIn('/one', 'hits')]).toEqual([
      undefined,
      'node',
      1,
    ]);
    await bench.readIn('/one', 'location.href = "/two", 0');
    await bench.frame('/two');
    expect((await bench.run(action)).error?.code).toBe('REF_STALE_DOCUMENT');
  });
});

describe('[EV5] evaluating in a frame of another site', () => {
  it('runs where the element is, with the element as first argument', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
      '/in': '<b id="x">bold</b><script>window.own = 7</script>',
    });
    const ref = await bench.refIn('/in', 'document.querySelector("b")');
    const { error, outcome } = await bench.run({
      kind: 'evaluate',
      ref,
      fn: '(element, add) => [element.textContent, window.own + add, location.hostname]',
      args: [1],
    });
    expect([error?.message, outcome?.value]).toEqual([undefined, ['bold', 8, 'localhost']]);
  });

  it("[EV3] a loop there is ended by its deadline through the frame's own sentinel; the page and the frame work on", async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe><button onclick="window.hits = 1">Main</button>`, {
      '/in': HIT,
    });
    const ref = await bench.refIn('/in', 'document.querySelector("button")');
    const looping = bench.run({ kind: 'evaluate', ref, fn: `() => { ${ENDLESS} }` }, { timeoutMs: 1_500 });
    const meanwhile = await bench.run({ kind: 'click', selector: 'button' });
    const { error } = await looping;
    const after = await bench.run({ kind: 'click', ref });
    expect([meanwhile.error?.message, error?.code, error?.details?.['script'], after.error?.message]).toEqual([
      undefined,
      'TIMEOUT',
      expect.stringContaining('terminated'),
      undefined,
    ]);
    expect([await bench.read('hits'), await bench.readIn('/in', 'hits')]).toEqual([1, 1]);
  });

  it('[EV3] a frame that hangs is refused by name at once, and freed with the tab', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, { '/in': HIT });
    const ref = await bench.refIn('/in', 'document.querySelector("button")');
    const { sessions } = await bench.frame('/in');
    const stop = bench.tab.hangMonitor.want();
    sessions.evaluate.send('Runtime.evaluate', { expression: ENDLESS }).catch(() => undefined);
    while (!bench.tab.frames.hung) await new Promise<void>((resolve) => bench.tab.frames.onHealth.on(() => resolve()));
    stop();
    const { error } = await bench.run({ kind: 'click', ref });
    const budget = newBudget(5_000);
    await bench.tab.unhang(budget, 3_000);
    budget.dispose();
    const after = await bench.run({ kind: 'click', ref });
    expect([error?.code, error?.message.includes('/in'), after.error?.message]).toEqual([
      'TAB_UNRESPONSIVE',
      true,
      undefined,
    ]);
  }, 20_000);
});

it('[AC2] a screenshot of an element in a frame shows that element', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in" style="margin: 50px; border: 0"></iframe>`, {
    '/in': '<div style="width: 80px; height: 40px; background: red"></div>',
  });
  const { error, outcome } = await bench.run({
    kind: 'screenshot',
    ref: await bench.refIn('/in', 'document.querySelector("div")'),
  });
  expect([error?.message, outcome?.value]).toEqual([undefined, { format: 'png', base64: expect.any(String) }]);
});

describe('[AC1] content, dialogs, drags and highlights of frames', () => {
  const inner = {
    '/in':
      '<p>Inner words</p><a href="/there">There</a><input type="password" value="hunter2"><iframe src="/deep"></iframe><iframe src="/away" style="display: none"></iframe>',
    '/deep': '<p>Deep words</p>',
    '/away': '<p>Hidden words</p>',
  };

  it('extract reads the frames that are shown too, each by itself, within the characters asked for', async () => {
    const outer = 'Outer words'.padEnd(196, '.');
    await bench.show(`<p>${outer}</p><iframe src="${bench.elsewhere}/in"></iframe>`, inner);
    await bench.frame('/deep');
    const text = await bench.run({ kind: 'extract', what: 'text' });
    const few = await bench.run({ kind: 'extract', what: 'text', maxChars: 200 });
    const links = await bench.run({ kind: 'extract', what: 'links' });
    expect([text.outcome?.value, text.outcome?.warnings]).toMatchObject([
      {
        text: outer,
        frames: [
          { url: `${bench.elsewhere}/in`, text: expect.stringContaining('Inner words') },
          { url: `${bench.elsewhere}/deep`, text: 'Deep words' },
        ],
      },
      [],
    ]);
    expect(few.outcome?.value).toMatchObject({
      text: outer,
      frames: [
        { text: 'Inne', truncated: true },
        { text: '', truncated: true },
      ],
    });
    expect(links.outcome?.value).toMatchObject({
      links: [],
      frames: [{ links: [{ text: 'There', url: `${bench.elsewhere}/there` }] }, { links: [] }],
    });
    expect(JSON.stringify([text, few, links].map(({ outcome }) => outcome))).not.toMatch(/hunter2|Hidden/);
  });

  it('[SN9] find looks in them', async () => {
    await bench.show(`<p>Outer words</p><iframe src="${bench.elsewhere}/in"></iframe>`, inner);
    await bench.frame('/deep');
    const { outcome } = await bench.run({ kind: 'snapshot', find: 'Deep' });
    expect(outcome?.value).toMatchObject({ text: expect.stringMatching(/iframe[^]*iframe[^]*paragraph "Deep words"/) });
  });

  it('[DI1] a dialog that a frame opens belongs to the tab, and is answered there', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, {
      '/in': '<button onclick="window.said = prompt(\'Name?\')">Ask</button>',
    });
    const ref = await bench.refIn('/in', 'document.querySelector("button")');
    const { error } = await bench.run({ kind: 'click', ref });
    expect([error?.message, bench.tab.dialogs.current]).toMatchObject([
      undefined,
      { type: 'prompt', message: 'Name?' },
    ]);
    const answered = await bench.run({ kind: 'dialog', do: 'answer', accept: true, promptText: 'Lin' });
    expect([answered.error?.message, await bench.readIn('/in', 'said')]).toEqual([undefined, 'Lin']);
  });

  it.each([
    [
      'by drag and drop',
      '<div id="from" draggable="true" ondragstart="event.dataTransfer.setData(\'text/plain\', \'it\')">From</div><div id="to" style="height: 40px" ondragover="event.preventDefault()" ondrop="window.got = event.dataTransfer.getData(\'text/plain\')">To</div>',
      'it',
    ],
    [
      'by the pointer',
      '<div id="from">From</div><div id="to" style="height: 40px" onpointerup="window.got = \'pointer\'">To</div>',
      'pointer',
    ],
  ])('a drag inside a frame goes %s', async (_, html, got) => {
    await bench.show(`<p>Above</p><iframe src="${bench.elsewhere}/in"></iframe>`, { '/in': html });
    const { error } = await bench.run({
      kind: 'drag',
      from: { ref: await bench.refIn('/in', 'document.getElementById("from")') },
      to: { ref: await bench.refIn('/in', 'document.getElementById("to")') },
    });
    expect([error?.message, await bench.readIn('/in', 'got')]).toEqual([undefined, got]);
  });

  it('an element in a frame is highlighted in the picture, and its document is not changed', async () => {
    await bench.show(`<iframe src="${bench.elsewhere}/in" style="border: 0"></iframe>`, {
      '/in':
        '<div style="width: 80px; height: 40px; background: white">x</div><script>window.seen = 0; new MutationObserver(() => { seen += 1 }).observe(document, { subtree: true, childList: true, attributes: true })</script>',
    });
    const ref = await bench.refIn('/in', 'document.querySelector("div")');
    const picture = async (): Promise<string> =>
      (await bench.tab.sessions.bulk.send('Page.captureScreenshot', { format: 'png' })).data;
    // Each process paints in its own time: what changes from here on is the outline.
    let before = '';
    await expect.poll(async () => before === (before = await picture()), { timeout: 10_000 }).toBe(true);
    const { error } = await bench.run({ kind: 'highlight', ref });
    await expect.poll(async () => (await picture()) === before, { timeout: 10_000 }).toBe(false);
    expect([error?.message, await bench.readIn('/in', 'seen')]).toEqual([undefined, 0]);
  });
});

it('[SE3] a field in a frame keeps the focus, also for the page, while another tab is in front', async () => {
  await bench.show(`<iframe src="${bench.elsewhere}/in"></iframe>`, { '/in': '<input aria-label="In">' });
  await bench.run({ kind: 'click', ref: await bench.refIn('/in', 'document.querySelector("input")') });
  const { browser } = bench.lanes.commands;
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  await browser.send('Target.activateTarget', { targetId });
  const focus = await bench.readIn(
    '/in',
    'new Promise((done) => setTimeout(() => done([document.hasFocus(), document.activeElement.localName]), 300))',
  );
  const typed = await bench.run({ kind: 'type', text: 'abc' });
  await browser.send('Target.closeTarget', { targetId });
  expect([focus, typed.error?.message, await bench.readIn('/in', 'document.querySelector("input").value')]).toEqual([
    [true, 'input'],
    undefined,
    'abc',
  ]);
});

it('[AC1] wait finds text in frames of any process, and finds it gone only when no frame has it', async () => {
  await bench.show(`<p>Outer</p><iframe src="${bench.elsewhere}/in"></iframe>`, {
    '/in': '<p>Wanted words</p><iframe src="/deep"></iframe>',
    '/deep': '<p>Deep words</p>',
  });
  await bench.frame('/deep');
  const found = [
    await bench.run({ kind: 'wait', text: 'Wanted words' }),
    await bench.run({ kind: 'wait', text: 'Deep words' }),
  ];
  const there = await bench.run({ kind: 'wait', textGone: 'Wanted words' }, { timeoutMs: 2_500 });
  await bench.readIn('/in', 'void document.querySelector("p").remove()');
  const gone = await bench.run({ kind: 'wait', textGone: 'Wanted words' });
  expect([...found, there, gone].map(({ error }) => error?.code)).toEqual([undefined, undefined, 'TIMEOUT', undefined]);
});

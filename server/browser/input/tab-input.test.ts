import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Budget } from '@/lib/budget/budget';
import type { InputEvent } from '@/lib/protocol/input';
import { ActionBench, newBudget } from '@/server/testing/action-bench';

let bench: ActionBench;
let budget: Budget;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());
beforeEach(() => {
  budget = newBudget(10_000);
});
afterEach(() => budget.dispose());

const send = async (...events: InputEvent[]): Promise<void> => {
  for (const event of events) await bench.tab.input.dispatchRaw(bench.write, budget, event);
};
const key = (type: 'keydown' | 'keyup', name: string, code: string, modifiers = 0, location = 0): InputEvent => ({
  type,
  key: name,
  code,
  location,
  repeat: false,
  modifiers,
});

const LOGGED = `<script>window.log = []; const note = (e) => log.push([e.type, e.key, e.code, e.keyCode, e.location, e.repeat].join(' ')); for (const type of ['keydown', 'keyup']) addEventListener(type, note)</script>`;

it("[CO11] a person's keys arrive with key, code, keyCode and location of their own layout, and type", async () => {
  await bench.show(`<textarea autofocus></textarea>${LOGGED}`);
  // `autofocus` takes effect with the first frames of a page, not with its load event.
  await bench.read('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await send(
    key('keydown', 'a', 'KeyQ'),
    key('keyup', 'a', 'KeyQ'),
    key('keydown', 'ф', 'KeyA'),
    key('keyup', 'ф', 'KeyA'),
  );
  await send(
    key('keydown', '@', 'KeyQ', 3),
    key('keyup', '@', 'KeyQ', 3),
    key('keydown', '7', 'Numpad7', 0, 3),
    key('keyup', '7', 'Numpad7', 0, 3),
  );
  await send(key('keydown', 'Enter', 'Enter'), key('keyup', 'Enter', 'Enter'));
  expect(await bench.read('document.querySelector("textarea").value')).toBe('aф@7\n');
  expect(await bench.read('log.filter((line) => line.startsWith("keydown"))')).toEqual([
    'keydown a KeyQ 65 0 false',
    'keydown ф KeyA 65 0 false',
    'keydown @ KeyQ 81 0 false',
    'keydown 7 Numpad7 103 3 false',
    'keydown Enter Enter 13 0 false',
  ]);
});

it('[AC4] [I6] held keys and buttons are known and released, modifiers last, without a click', async () => {
  await bench.show(`<button style="width: 200px; height: 100px" onclick="window.hits = 1">B</button>${LOGGED}`);
  await send(key('keydown', 'Shift', 'ShiftLeft', 8, 1), key('keydown', 'X', 'KeyX', 8));
  await send({ type: 'down', x: 50, y: 50, button: 'left', buttons: 1, clickCount: 1, modifiers: 8 });
  expect(bench.tab.input.held()).toEqual({ buttons: ['left'], keys: ['Shift', 'X'], at: { x: 50, y: 50 } });
  await bench.tab.input.releaseAll(bench.write);
  expect(bench.tab.input.held()).toMatchObject({ buttons: [], keys: [] });
  expect(
    await bench.read('[window.hits ?? 0, ...log.slice(-2).map((line) => line.split(" ").slice(0, 3).join(" "))]'),
  ).toEqual([0, 'keyup X KeyX', 'keyup Shift ShiftLeft']);
});

it('[I6] input that is written during the release reaches the page after it, and stays pressed', async () => {
  await bench.show(LOGGED);
  await send(key('keydown', 'Shift', 'ShiftLeft', 8, 1), key('keydown', 'Home', 'Home', 8), {
    type: 'down',
    x: 50,
    y: 50,
    button: 'left',
    buttons: 1,
    clickCount: 1,
    modifiers: 8,
  });
  await bench.read(
    'addEventListener("mouseup", () => log.push("mouseup")), addEventListener("mousedown", () => log.push("mousedown")), log.length = 0',
  );
  const released = bench.tab.input.releaseAll(bench.write);
  const pressed = send(key('keydown', 'Shift', 'ShiftLeft', 8, 1));
  const button = bench.tab.input.dispatchRaw(bench.write, budget, {
    type: 'down',
    x: 60,
    y: 60,
    button: 'left',
    buttons: 1,
    clickCount: 1,
    modifiers: 8,
  });
  await Promise.all([released, pressed, button]);

  expect(await bench.read('log.map((line) => line.split(" ").slice(0, 2).join(" "))')).toEqual([
    'mouseup',
    'keyup Home',
    'keyup Shift',
    'keydown Shift',
    'mousedown',
  ]);
  expect(bench.tab.input.held()).toMatchObject({ buttons: ['left'], keys: ['Shift'] });
  await bench.tab.input.releaseAll(bench.write);
});

it('[CO11] a drag with the held button selects text', async () => {
  await bench.show('<p style="margin: 20px; font: 20px monospace">some words here</p>');
  await send(
    { type: 'move', x: 22, y: 30, buttons: 0, modifiers: 0 },
    { type: 'down', x: 22, y: 30, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 },
  );
  await send(
    { type: 'move', x: 60, y: 30, buttons: 1, modifiers: 0 },
    { type: 'move', x: 700, y: 30, buttons: 1, modifiers: 0 },
  );
  await send({ type: 'up', x: 700, y: 30, button: 'left', buttons: 0, clickCount: 1, modifiers: 0 });
  expect(await bench.tab.input.copyOut(bench.write, budget, { cut: false })).toBe('some words here');
});

it('[CO11] the wheel scrolls and a text without keys is typed', async () => {
  await bench.show('<textarea autofocus></textarea><div style="height: 3000px"></div>');
  // `autofocus` takes effect with the first frames of a page, not with its load event.
  await bench.read('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await send({ type: 'text', text: '日本 ok' }, { type: 'wheel', x: 400, y: 300, dx: 0, dy: 150, modifiers: 0 });
  await bench.read('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await bench.read('[document.querySelector("textarea").value, scrollY]')).toEqual(['日本 ok', 150]);
});

it('[SE6] a paste arrives as one, also in a frame, and later keys arrive after it', async () => {
  await bench.show('<iframe name="inner" src="/inner"></iframe>', { '/inner': '<input>' });
  await bench.read('frames[0].document.querySelector("input").focus(), 0');
  const paste = bench.tab.input.dispatchRaw(bench.write, budget, { type: 'paste', text: 'long text' });
  const typed = bench.tab.input.dispatchRaw(bench.write, budget, key('keydown', '!', 'Digit1', 8));
  await Promise.all([paste, typed]);
  await send(key('keyup', '!', 'Digit1', 8));
  expect(await bench.read('frames[0].document.querySelector("input").value')).toBe('long text!');
});

it("[SE6] a person's clipboard keys reach the page as they are, and use the session's clipboard", async () => {
  await bench.show(`<input autofocus value="word">${LOGGED}`);
  // `autofocus` takes effect with the first frames of a page, not with its load event.
  await bench.read('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await send(
    key('keydown', 'Control', 'ControlLeft', 2, 1),
    key('keydown', 'a', 'KeyA', 2),
    key('keyup', 'a', 'KeyA', 2),
  );
  await send(key('keydown', 'x', 'KeyX', 2), key('keyup', 'x', 'KeyX', 2));
  expect(await bench.read('document.querySelector("input").value')).toBe('');
  await send(
    key('keydown', 'v', 'KeyV', 2),
    key('keyup', 'v', 'KeyV', 2),
    key('keyup', 'Control', 'ControlLeft', 0, 1),
  );
  expect(
    await bench.read('[document.querySelector("input").value, ...log.filter((line) => /[xv] Key|Delete/.test(line))]'),
  ).toEqual([
    'word',
    'keydown x KeyX 88 0 false',
    'keyup x KeyX 88 0 false',
    'keydown v KeyV 86 0 false',
    'keyup v KeyV 86 0 false',
  ]);
  expect(bench.tab.input.held().keys).toEqual([]);
});

it('[SE6] a copy or paste of a person reaches the page with its true keys', async () => {
  await bench.show(
    `<input value="word">${LOGGED}<script>for (const type of ['copy', 'cut', 'paste']) addEventListener(type, () => log.push(type))</script>`,
  );
  await bench.read('document.querySelector("input").select(), log.length = 0');
  const copied = await bench.tab.input.copyOut(bench.write, budget, { cut: false });
  await send(
    key('keydown', 'Control', 'ControlLeft', 2, 1),
    { type: 'paste', text: 'more' },
    key('keyup', 'Control', 'ControlLeft', 0, 1),
    { type: 'paste', text: '!' },
  );

  expect([copied, await bench.read('document.querySelector("input").value')]).toEqual(['word', 'more!']);
  expect(await bench.read('log.map((line) => line.split(" ").slice(0, 2).join(" "))')).toEqual([
    'keydown Control',
    'keydown c',
    'copy',
    'keyup c',
    'keyup Control',
    'keydown Control',
    'keydown v',
    'paste',
    'keyup v',
    'keyup Control',
    'paste',
  ]);
});

it('[DI1] a press whose handler opens a dialog is answered, and its button is released later', async () => {
  await bench.show('<button style="width: 200px; height: 100px" onmousedown="alert(1)">B</button>');
  expect(await bench.tab.input.click(bench.write, budget, { x: 50, y: 50 })).toBe('dialog');
  expect(bench.tab.input.held().buttons).toEqual(['left']);
  await bench.tab.dialogs.answer(undefined, { accept: true });
  await bench.tab.input.releaseAll(bench.write);
  expect(bench.tab.input.held().buttons).toEqual([]);
});

it('[I6] nothing stays held after a page that crashed: Chrome refuses to release what is gone with it', async () => {
  // A tab of its own: the crashed page cannot show anything to a second try.
  const own = await ActionBench.open();
  onTestFinished(() => own.close());
  const { tab, write } = own;
  const { commands } = tab.sessions;
  await own.show(LOGGED);
  const shift = key('keydown', 'Shift', 'ShiftLeft', 8, 1);
  await tab.input.dispatchRaw(write, budget, shift);
  const press: InputEvent = { type: 'down', x: 50, y: 50, button: 'left', buttons: 1, clickCount: 1, modifiers: 8 };
  await tab.input.dispatchRaw(write, budget, press);
  const crashed = new Promise<void>((resolve) => void commands.on('Inspector.targetCrashed', () => resolve()));
  void commands.sendMayFail('Page.crash');
  await crashed;

  // In which words depends on how far Chrome is with the end of the page's process.
  await expect(tab.input.releaseAll(write)).rejects.toThrow();
  // It rejects with the first refusal; the other may come a moment later.
  await expect.poll(() => tab.input.held(), { timeout: 20_000 }).toMatchObject({ buttons: [], keys: [] });
}, 40_000);

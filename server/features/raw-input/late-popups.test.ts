import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { InputEvent } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import { closePopup, popupOpen } from '@/server/browser/input/native-popup';
import type { Tab } from '@/server/browser/tab';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { PopupPrefetch } from './popup-prefetch';
import { LatePopups } from './late-popups';

const at = (left: number): string =>
  `style="position:absolute;left:${left}px;top:50px;width:160px;height:24px;box-sizing:border-box"`;
const PAGE = `<!doctype html><select aria-label="Size" ${at(0)}><option>S<option>M</select><input type="date" aria-label="Day" ${at(200)}><input type="color" ${at(400)}><button ${at(600)}>Plain</button>
<script>seen = []; for (const type of ['keydown', 'keyup', 'mousedown', 'click']) addEventListener(type, (event) => seen.push(type + (event.key ?? '')), true)</script>`;

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

/** The same press as one that nothing was known of beforehand: straight to Chrome, and asked about afterwards. */
async function pressed(tab: Tab, x: number): Promise<(PopupView | undefined)[]> {
  const late = new LatePopups();
  const budget = newBudget(20_000);
  const { commands } = tab.sessions;
  const press = { x, y: 62, button: 'left', clickCount: 1 } as const;
  const told = async (type: 'down' | 'up'): Promise<PopupView | undefined> => {
    await commands.send('Input.dispatchMouseEvent', {
      ...press,
      type: type === 'down' ? 'mousePressed' : 'mouseReleased',
      buttons: type === 'down' ? 1 : 0,
    });
    const event: InputEvent = { ...press, type, modifiers: 0, buttons: type === 'down' ? 1 : 0 };
    return late.after(budget, tab, event, () =>
      closePopup(budget, (method, ...params) => commands.send(method, ...params)),
    );
  };
  await popupOpen(budget, tab);
  // A date's icon is there once the pointer is over the field.
  await commands.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: 62 });
  late.missed(tab.id);
  const answers = [await told('down'), await told('up')];
  budget.dispose();
  return answers;
}

describe('a press on a page that could not name the popup', () => {
  it.each([
    ['the menu of a select', 30, { sort: 'select', label: 'Size' }],
    ['the picker of a date', 345, { sort: 'date', label: 'Day' }],
    ['the picker of a colour', 430, { sort: 'color' }],
    ['nothing', 630, undefined],
  ])('[DI3] opens %s: that is closed again and reported, and the page sees no key of it', async (_, x, expected) => {
    await bench.show(PAGE);
    const told = (await pressed(bench.tab, x)).filter((popup) => popup !== undefined);

    expect(told).toMatchObject(expected ? [expected] : []);
    expect(await bench.read('[document.querySelectorAll("select:open, input:open").length, seen]')).toEqual([
      0,
      ['mousedown', 'click'],
    ]);
  });
});

/** The space bar, sent to the focused control straight to Chrome, and asked about afterwards. */
async function spaced(tab: Tab): Promise<(PopupView | undefined)[]> {
  const late = new LatePopups();
  const budget = newBudget(20_000);
  const { commands } = tab.sessions;
  const space = { key: ' ', code: 'Space' } as const;
  const told = async (type: 'keydown' | 'keyup'): Promise<PopupView | undefined> => {
    await commands.send('Input.dispatchKeyEvent', {
      ...space,
      ...(type === 'keydown' ? { type: 'keyDown', text: ' ' } : { type: 'keyUp' }),
      windowsVirtualKeyCode: 32,
    });
    const event: InputEvent = { ...space, type, modifiers: 0, location: 0, repeat: false };
    return late.after(budget, tab, event, () =>
      closePopup(budget, (method, ...params) => commands.send(method, ...params)),
    );
  };
  late.missed(tab.id);
  const answers = [await told('keydown'), await told('keyup')];
  budget.dispose();
  return answers;
}

describe('the space bar on a page that could not name the popup', () => {
  it.each([
    ['select', 'select'],
    ['input[type=date]', 'date'],
    ['input[type=color]', 'color'],
  ])('[DI3] opens that of %s, with the key or its release: it is closed again and reported', async (control, sort) => {
    await bench.show(PAGE);
    await bench.read(`document.querySelector('${control}').focus()`);
    const told = (await spaced(bench.tab)).filter((popup) => popup !== undefined);

    expect(told).toMatchObject([{ sort }]);
    expect(await bench.read('document.querySelectorAll("select:open, input:open").length')).toBe(0);
  });
});

describe('the element under the pointer', () => {
  it('[DI3] is known beforehand at the point it was moved to, while the document is the same', async () => {
    await bench.show(PAGE);
    const popupPrefetch = new PopupPrefetch(new FakeClock());
    const [plain, menu] = [
      { x: 630, y: 62 },
      { x: 30, y: 62 },
    ];
    const before = popupPrefetch.foundNone(bench.tab, plain);
    popupPrefetch.moved(bench.tab, plain);
    await expect.poll(() => popupPrefetch.foundNone(bench.tab, plain), { timeout: 20_000 }).toBe(true);
    const elsewhere = popupPrefetch.foundNone(bench.tab, { x: 631, y: 62 });
    await bench.show(PAGE);

    expect([
      before,
      elsewhere,
      popupPrefetch.foundNone(bench.tab, plain),
      popupPrefetch.foundNone(bench.tab, menu),
    ]).toEqual([false, false, false, false]);
  });

  it('[DI3] is waited for less on a page that was too slow twice, until it answers again', async () => {
    const clock = new FakeClock();
    const popupPrefetch = new PopupPrefetch(clock);
    const look = (ms: number) => popupPrefetch.timed(bench.tab, async () => clock.advance(ms));
    const patience = [];
    for (const ms of [1, 400, 400, 1]) {
      await look(ms);
      patience.push(popupPrefetch.patienceMs(bench.tab));
    }
    await popupPrefetch.timed(bench.tab, () => Promise.reject(new Error('cut short'))).catch(() => undefined);
    await look(400);

    expect([...patience, popupPrefetch.patienceMs(bench.tab)]).toEqual([1_000, 1_000, 40, 1_000, 40]);
  });
});

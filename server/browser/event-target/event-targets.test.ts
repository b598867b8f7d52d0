import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { EventTargets } from './event-targets';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

/**
 * The value of an expression in our own world of the page, where the injected script works; the page's own world is
 * another.
 */
async function inInjectedWorld(expression: string): Promise<unknown> {
  const { worlds, page } = bench.tab;
  const { session, contextId } = await worlds.of(budgetOf(), page.document.frameId);
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  const value: unknown = result.value;
  return value;
}

function budgetOf(): ReturnType<typeof newBudget> {
  const budget = newBudget(8_000);
  onTestFinished(() => budget.dispose());
  return budget;
}

/** Focuses each element in turn and looks at it; returns how an action would find it. */
async function ways(eventTargets: EventTargets, ...ids: string[]): Promise<unknown[]> {
  const found = [];
  for (const id of ids) {
    await bench.read(`document.getElementById("${id}").focus()`);
    found.push((await eventTargets.focus(budgetOf()))?.locator);
  }
  return found;
}

const word = (nth: number): string => `<label>Word <input id="word${nth}"></label>`;

it('[CO11] a run of keys in one field looks once for other fields of its name', async () => {
  await bench.show(word(1) + '<label>Other <input id="other"></label>');
  const eventTargets = new EventTargets(bench.tab);
  await inInjectedWorld(
    'globalThis.looks = 0; const kin = Document.prototype.getElementsByTagName; Document.prototype.getElementsByTagName = function (name) { looks += 1; return kin.call(this, name); }',
  );

  const found = await ways(eventTargets, 'word1', 'word1', 'word1', 'word1');
  expect([await inInjectedWorld('looks'), new Set(found.map((way) => JSON.stringify(way)))]).toEqual([
    1,
    new Set([JSON.stringify({ role: 'textbox', name: 'Word' })]),
  ]);
});

it('[CO11] a field whose name is no longer unique is named by a selector when it gets the focus again', async () => {
  await bench.show(word(1) + '<label>Other <input id="other"></label>');
  const eventTargets = new EventTargets(bench.tab);

  const before = await ways(eventTargets, 'word1', 'other');
  await bench.read(`document.body.insertAdjacentHTML('beforeend', '${word(2)}')`);
  const after = await ways(eventTargets, 'word1', 'other', 'word2');
  const other = { role: 'textbox', name: 'Other' };
  expect([before, after]).toEqual([
    [{ role: 'textbox', name: 'Word' }, other],
    [{ selector: '#word1' }, other, { selector: '#word2' }],
  ]);
});

it('[CO11] a button that its click removes has the name that it had', async () => {
  await bench.show(
    '<button id="vanish" style="position:absolute;left:0;top:0;width:80px;height:40px">Vanish</button><button style="position:absolute;top:90px">Other</button>',
  );
  await inInjectedWorld(
    `const query = Document.prototype.querySelectorAll; Document.prototype.querySelectorAll = function (selector) { queueMicrotask(() => document.getElementById('vanish')?.remove()); return query.call(this, selector); }; 0`,
  );

  const found = await new EventTargets(bench.tab).at(budgetOf(), { x: 20, y: 20 });
  expect([found?.role, found?.name, await bench.read('document.getElementById("vanish") === null')]).toEqual([
    'button',
    'Vanish',
    true,
  ]);
});

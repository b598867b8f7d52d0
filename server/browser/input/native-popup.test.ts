import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { popupAt, popupOfFocus } from './native-popup';

const PAGE = `<label for="c">Country</label><select id="c" style="position:absolute;left:10px;top:50px;width:120px;height:24px">
<option>Choose<option disabled>Nowhere<optgroup label="Islands"><option value="ie" selected>Ireland\u202e</optgroup></select>
<select multiple style="position:absolute;left:200px;top:50px;width:120px;height:60px"><option>a</select>
<select disabled style="position:absolute;left:400px;top:50px;width:120px;height:24px"><option>a</select>
<input type="date" aria-label="Day" min="2026-01-01" value="2026-02-03" style="position:absolute;left:10px;top:200px;width:160px;height:24px;box-sizing:border-box">
<input type="color" value="#102030" style="position:absolute;left:200px;top:200px;width:60px;height:24px">
<button style="position:absolute;left:10px;top:300px;width:90px;height:24px">Plain</button><div id="host" style="position:absolute;left:200px;top:300px"></div>
<script>document.querySelector('#host').attachShadow({mode:'open'}).innerHTML='<select style="width:90px;height:24px"><option>Inside</select>'</script>`;

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
  await bench.show(PAGE);
});
afterAll(() => bench.close());

async function at(x: number, y: number): ReturnType<typeof popupAt> {
  const budget = newBudget(5_000);
  try {
    return await popupAt(budget, bench.tab, { x, y });
  } finally {
    budget.dispose();
  }
}

async function byKey(): ReturnType<typeof popupOfFocus> {
  const budget = newBudget(5_000);
  return popupOfFocus(budget, bench.tab).finally(() => budget.dispose());
}

describe('the popup that a press would open outside of the page', () => {
  it('[DI3] is the menu of a select, with groups, selected and disabled options, and cleaned page text', async () => {
    expect(await at(30, 60)).toMatchObject({
      sort: 'select',
      label: 'Country',
      selected: 2,
      more: 0,
      box: { x: 10, y: 50, width: 120, height: 24 },
      options: [
        { index: 0, label: 'Choose', group: '', disabled: false },
        { index: 1, disabled: true },
        { index: 2, label: 'Ireland', group: 'Islands', disabled: false },
      ],
    });
  });

  it('[DI3] is the picker of a date at its icon, of a colour anywhere; also of a select in a shadow root', async () => {
    const seen = await Promise.all([at(160, 212), at(30, 212), at(220, 212), at(220, 310)]);

    expect(seen).toMatchObject(
      [
        { sort: 'date', label: 'Day', value: '2026-02-03', min: '2026-01-01' },
        undefined,
        { sort: 'color', value: '#102030' },
        { sort: 'select', options: [{ label: 'Inside' }] },
      ].map((one) => one ?? undefined),
    );
  });

  it('[DI3] is undefined for a list inside the page, a disabled control, a button, and a point outside of the page', async () => {
    expect(await Promise.all([at(220, 60), at(420, 60), at(30, 310), at(-5, 9_000)])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['a select', '#c', 'select'],
    ['a date field', '[type=date]', 'date'],
    ['a colour', '[type=color]', 'color'],
    ['a select in a shadow root', '#host', 'select'],
    ['a button', 'button', undefined],
  ])('[DI3] is found for keys too, from the focused element: %s', async (_, selector, sort) => {
    await bench.read(
      `{ const host = document.querySelector(${JSON.stringify(selector)}); (host.shadowRoot?.querySelector('select') ?? host).focus(); 0 }`,
    );
    expect((await byKey())?.sort).toBe(sort);
  });

  it('[DI3] names the control to the actions that set it', async () => {
    const [menu, day] = await Promise.all([at(30, 60), at(160, 212)]);
    const chosen = await bench.run({ kind: 'select', node: menu?.node, values: ['0'], by: 'index' });
    const typed = await bench.run({ kind: 'type', node: day?.node, text: '2026-03-04' });

    expect([chosen.error, typed.error]).toEqual([undefined, undefined]);
    expect(
      await bench.read('[document.querySelector("#c").selectedIndex, document.querySelector("[type=date]").value]'),
    ).toEqual([0, '2026-03-04']);
  });
});

describe.each([
  ['of the same site', ''],
  ['of another site', 'elsewhere'],
])('in a frame %s', (_, where) => {
  const IN =
    '<select aria-label="Size" style="position: absolute; left: 20px; top: 30px; width: 100px; height: 24px"><option>S<option>M</select>';

  it('[DI3] the menu of a select is found where it is in the tab, and its choice reaches it', async () => {
    await bench.show(
      `<iframe src="${where === '' ? '' : bench.elsewhere}/in" style="position: absolute; left: 100px; top: 200px; width: 400px; height: 200px; border: 5px solid; transform: scale(0.5); transform-origin: 0 0"></iframe>`,
      { '/in': IN },
    );
    await bench.frame('/in');
    const popup = await at(100 + (5 + 60) / 2, 200 + (5 + 40) / 2);
    expect(popup).toMatchObject({
      sort: 'select',
      label: 'Size',
      selected: 0,
      box: { x: 112.5, y: 217.5, width: 50, height: 12 },
    });
    const { error } = await bench.run({ kind: 'select', node: popup?.node, values: ['1'], by: 'index' });
    const value =
      where === ''
        ? bench.read('frames[0].document.querySelector("select").value')
        : bench.readIn('/in', 'document.querySelector("select").value');
    expect([error?.message, await value]).toEqual([undefined, 'M']);
  });

  it('[DI3] is found for keys in a nested frame too, and not for a control that has lost the focus', async () => {
    const site = where === '' ? '' : bench.elsewhere;
    await bench.show(
      `<button id=main>Main</button><iframe src="${site}/mid" style="width: 500px; height: 300px; margin-left: 50px; border: 0"></iframe>`,
      {
        '/mid': `<iframe src="${bench.origin}/in" style="position: absolute; left: 10px; top: 40px; border: 0"></iframe>`,
        '/in': IN,
      },
    );
    await bench.frame('/in');
    await bench.run({ kind: 'focus', role: 'combobox', name: 'Size' });
    const popup = await byKey();
    await bench.read('document.querySelector("#main").focus()');
    const none = await byKey();
    const { error } = await bench.run({ kind: 'select', node: popup?.node, values: ['1'], by: 'index' });
    const value =
      where === ''
        ? bench.read('frames[0].frames[0].document.querySelector("select").value')
        : bench.readIn('/in', 'document.querySelector("select").value');
    expect([popup?.sort, popup?.label, none, error?.message, await value]).toEqual([
      'select',
      'Size',
      undefined,
      undefined,
      'M',
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

describe('check', () => {
  it('[AC1] sets a checkbox by a press and leaves it alone when it is so already', async () => {
    await bench.show('<input type="checkbox" onclick="window.hits = (window.hits ?? 0) + 1">');
    const first = await bench.run({ kind: 'check', selector: 'input', checked: true });
    const again = await bench.run({ kind: 'check', selector: 'input', checked: true });
    expect([first.outcome?.value, again.outcome?.value]).toEqual([
      { checked: true, changed: true },
      { checked: true, changed: false },
    ]);
    expect(await bench.read('[document.querySelector("input").checked, hits]')).toEqual([true, 1]);
  });

  it.each([
    ['display: none', 'display: none'],
    [
      'the usual way of hiding it from sight',
      'position: absolute; width: 1px; height: 1px; clip-path: inset(50%); overflow: hidden',
    ],
  ])('[AC3] presses the label of a box hidden by %s, beside the link in it', async (_, style) => {
    await bench.show(
      `<label style="display: block; width: 300px; text-align: center"><input type="checkbox" style="${style}"><a href="#terms" style="padding: 0 20px">terms</a> ok</label>`,
    );
    const ref = await bench.ref('document.querySelector("input")');
    const { error } = await bench.run({ kind: 'check', ref, checked: true });
    expect(error).toBeUndefined();
    expect(await bench.read('[document.querySelector("input").checked, location.hash]')).toEqual([true, '']);
  });

  it('[AC3] takes a label for its box where the box is not rendered, as the snapshot shows it', async () => {
    await bench.show('<label><input type="checkbox" style="display: none">Mail</label>');
    const acted = await bench.run({ kind: 'check', role: 'checkbox', name: 'Mail', checked: true });
    const again = await bench.run({ kind: 'check', role: 'checkbox', name: 'Mail', checked: true });
    expect([acted.error?.message, acted.outcome?.value, again.outcome?.value]).toEqual([
      undefined,
      { checked: true, changed: true },
      { checked: true, changed: false },
    ]);
    expect(await bench.read('document.querySelector("input").checked')).toBe(true);
  });

  it('[AC1] sets an ARIA switch and waits for it to show its state', async () => {
    await bench.show(
      `<div role="switch" aria-checked="false" tabindex="0" onclick="setTimeout(() => this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true'), 150)">Wifi</div>`,
    );
    const { outcome } = await bench.run({ kind: 'check', role: 'switch', name: 'Wifi', checked: true });
    expect(outcome?.value).toEqual({ checked: true, changed: true });
    expect(await bench.read('document.querySelector("div").getAttribute("aria-checked")')).toBe('true');
  });

  it('[SN4] accepts a box that the page renders anew when it is pressed', async () => {
    await bench.show(
      `<div id="app"></div><script>let on = false; const draw = () => { app.innerHTML = '<input type="checkbox" aria-label="Mail"' + (on ? ' checked' : '') + '>'; app.firstChild.onclick = () => { on = !on; setTimeout(draw) } }; draw()</script>`,
    );
    const ref = await bench.ref('document.querySelector("input")');
    const { error } = await bench.run({ kind: 'check', ref, checked: true });
    expect([error, await bench.read('on')]).toEqual([undefined, true]);
  });

  it('[AC3] refuses to uncheck a radio button, refuses an element that is no box, and reports a box that does not change', async () => {
    await bench.show('<input type="radio" checked><p>text</p><input type="checkbox" onclick="return false">');
    const codes = [];
    for (const [selector, checked] of [
      ['[type=radio]', false],
      ['p', true],
      ['[type=checkbox]', true],
    ] as const)
      codes.push((await bench.run({ kind: 'check', selector, checked })).error?.code);
    expect(codes).toEqual(['WRONG_ELEMENT', 'WRONG_ELEMENT', 'CONFLICT']);
  });
});

describe('select', () => {
  const FRUIT =
    '<select><option value="a">Apple</option><option value="b">Big  Pear</option><option value="c" disabled>Plum</option></select>';

  it.each([
    ['value', 'b', 'auto'],
    ['label', 'Big Pear', 'auto'],
    ['label in another case', 'big pear', 'label'],
    ['index', '1', 'index'],
  ] as const)('[AC1] chooses an option by its %s with input and change events', async (_, value, by) => {
    await bench.show(
      `${FRUIT}<script>window.log = []; for (const type of ['input', 'change']) addEventListener(type, () => log.push(type))</script>`,
    );
    const { outcome } = await bench.run({ kind: 'select', selector: 'select', values: [value], by });
    expect(outcome?.value).toEqual({ selected: ['Big Pear'] });
    expect(await bench.read('[document.querySelector("select").value, log]')).toEqual(['b', ['input', 'change']]);
  });

  it('[AC8] refuses a missing option with the list of options, and a disabled one as DISABLED', async () => {
    await bench.show(FRUIT);
    const { error } = await bench.run({ kind: 'select', selector: 'select', values: ['Kiwi'] });
    expect([error?.code, error?.message]).toEqual([
      'BAD_REQUEST',
      'combobox has no option "Kiwi". It has "Apple", "Big Pear", "Plum".',
    ]);
    expect((await bench.run({ kind: 'select', selector: 'select', values: ['Plum'] })).error?.code).toBe('DISABLED');
    expect((await bench.run({ kind: 'select', selector: 'select', values: ['a', 'b'] })).error?.code).toBe(
      'BAD_REQUEST',
    );
  });

  it('[AC1] chooses exactly the given options of a multiple select', async () => {
    await bench.show(
      '<select multiple><option selected>One</option><option>Two</option><option>Three</option></select>',
    );
    await bench.run({ kind: 'select', selector: 'select', values: ['Two', 'Three'] });
    expect(
      await bench.read('Array.from(document.querySelector("select").selectedOptions, (option) => option.value)'),
    ).toEqual(['Two', 'Three']);
  });

  it('[AC1] chooses in an ARIA combobox whose list opens at the end of the page after a while', async () => {
    await bench.show(`<button role="combobox" aria-expanded="false" aria-controls="list" onclick="setTimeout(() => { this.setAttribute('aria-expanded', 'true'); list.hidden = false }, 200)">Size</button>
      <div id="list" role="listbox" hidden>${['S', 'M', 'L'].map((size) => `<div role="option" onclick="window.size = '${size}'; list.hidden = true">${size}</div>`).join('')}</div>`);
    const { outcome, error } = await bench.run({ kind: 'select', selector: '[role=combobox]', values: ['L'] });
    expect([error, outcome?.value, await bench.read('size')]).toEqual([undefined, { selected: ['L'] }, 'L']);
  });

  it('[AC1] types into a combobox that shows its options only then', async () => {
    await bench.show(`<input role="combobox" aria-controls="list" aria-expanded="false"><div id="list" role="listbox"></div><script>
      const input = document.querySelector('input'); input.oninput = () => setTimeout(() => { list.innerHTML = ['Paris', 'Parma'].filter((city) => city.startsWith(input.value)).map((city) => '<div role="option">' + city + '</div>').join(''); for (const option of list.children) option.onclick = () => { window.city = option.textContent } }, 100)</script>`);
    const { error } = await bench.run({ kind: 'select', selector: 'input', values: ['Parma'] });
    expect([error, await bench.read('window.city')]).toEqual([undefined, 'Parma']);
  });

  it('[AC1] chooses several options of a multiselectable listbox', async () => {
    await bench.show(
      `<ul role="listbox" aria-multiselectable="true">${['a', 'b', 'c'].map((name) => `<li role="option" aria-selected="${name === 'a'}" onclick="this.setAttribute('aria-selected', this.getAttribute('aria-selected') !== 'true')">${name}</li>`).join('')}</ul>`,
    );
    await bench.run({ kind: 'select', selector: 'ul', values: ['a', 'c'] });
    expect(
      await bench.read('Array.from(document.querySelectorAll("[aria-selected=true]"), (option) => option.textContent)'),
    ).toEqual(['a', 'c']);
  });

  it('[DI3] a click on a native select or its option points to the select action', async () => {
    await bench.show(FRUIT);
    const clicked = await bench.run({ kind: 'click', selector: 'select' });
    expect(clicked.outcome?.warnings).toEqual([
      'The list of a native select is drawn outside the page: choose with the select action.',
    ]);
    expect((await bench.run({ kind: 'click', selector: 'option', nth: 0 })).error?.code).toBe('WRONG_ELEMENT');
    expect((await bench.run({ kind: 'select', selector: 'select', values: ['b'] })).error).toBeUndefined();
  });

  it('[AC3] refuses an element that is no list', async () => {
    await bench.show('<p>text</p>');
    expect((await bench.run({ kind: 'select', selector: 'p', values: ['x'] })).error?.code).toBe('WRONG_ELEMENT');
  });
});

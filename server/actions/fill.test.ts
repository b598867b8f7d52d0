import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '@/lib/errors/codes';
import { WheelhouseError } from '@/lib/errors/error';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const FORM = `<form>
  <input id="name" value="old name"><textarea id="note">old note</textarea><input id="day" type="date" value="2026-01-01"><input id="size" type="range" value="5">
  <input id="news" type="checkbox"><input id="one" type="radio" name="r" checked><input id="two" type="radio" name="r">
  <select id="fruit"><option>Apple</option><option selected>Pear</option></select>
  <div id="rich" contenteditable>old <b>text</b></div>
  <input id="secret" type="password" value="old secret"><input id="locked" value="locked" disabled>
</form>`;
const VALUES = `[document.getElementById('name').value, note.value, day.value, size.value, news.checked, one.checked, two.checked, fruit.value, rich.innerHTML, secret.value]`;
const NEW = [
  { selector: '#name', value: 'Ada 李' },
  { selector: '#note', value: 'one\ntwo' },
  { selector: '#day', value: '2026-05-09' },
  { selector: '#size', value: 7 },
  { selector: '#news', value: true },
  { selector: '#two', value: 'true', type: 'radio' },
  { selector: '#fruit', value: 'Apple' },
  { selector: '#rich', value: 'new' },
  { selector: '#secret', value: 'hunter2' },
];

describe('fill', () => {
  it('[AC1] fills fields of every sort, each as it wants', async () => {
    await bench.show(FORM);
    const { outcome, error } = await bench.run({ kind: 'fill', fields: NEW }, { timeoutMs: 20_000 });
    expect([error, outcome?.error]).toEqual([undefined, undefined]);
    expect(outcome?.value).toEqual({
      filled: 9,
      of: 9,
      fields: ['type', 'type', 'type', 'type', 'check', 'check', 'select', 'type', 'type'].map((as) => ({ as })),
    });
    expect(await bench.read(VALUES)).toEqual([
      'Ada 李',
      'one\ntwo',
      '2026-05-09',
      '7',
      true,
      false,
      true,
      'Apple',
      'new',
      'hunter2',
    ]);
  });

  it('[AC7] an atomic fill restores all fields when one cannot be filled, without revealing old values', async () => {
    await bench.show(FORM);
    const before = await bench.read(VALUES);
    const { outcome } = await bench.run(
      { kind: 'fill', atomic: true, fields: [...NEW, { selector: '#locked', value: 'x' }] },
      { timeoutMs: 7_000 },
    );
    expect([outcome?.error?.code, outcome?.error?.details?.['index']]).toEqual(['DISABLED', 9]);
    expect(outcome?.error?.message).toMatch(/^Field 10 of 10: /);
    expect(outcome?.error?.hint).toBe('The element is disabled; fill in what it waits for first.');
    expect(outcome?.value).toMatchObject({ restored: 10 });
    expect(await bench.read(VALUES)).toEqual(before);
    expect(JSON.stringify(outcome)).not.toContain('old secret');
  });

  it('[AC7] without atomic, filled fields stay filled', async () => {
    await bench.show(FORM);
    const { outcome } = await bench.run({
      kind: 'fill',
      fields: [
        { selector: '#name', value: 'new' },
        { selector: '#fruit', value: 'Kiwi' },
        { selector: '#note', value: 'x' },
      ],
    });
    expect([outcome?.error?.code, outcome?.value]).toEqual([
      'BAD_REQUEST',
      { filled: 2, of: 3, fields: [{ as: 'type' }, { as: 'select' }] },
    ]);
    expect(await bench.read('[document.getElementById("name").value, note.value]')).toEqual(['new', 'old note']);
  });

  it.each([
    [
      'text for a box',
      { selector: '#news', value: 'maybe' },
      'BAD_REQUEST',
      'Correct the named field and send the request again.',
    ],
    [
      'a flag for text',
      { selector: '#name', value: true },
      'BAD_REQUEST',
      'Correct the named field and send the request again.',
    ],
    [
      'what is no field',
      { selector: 'form', value: 'x' },
      'WRONG_ELEMENT',
      'This action does not fit that element; details say what it is.',
    ],
    ['a file field', { selector: '#file', value: 'x' }, 'WRONG_ELEMENT', 'Files are given by the upload action.'],
    ['two of a kind', { selector: '[type=radio]', value: true }, 'AMBIGUOUS', ERROR_TABLE.AMBIGUOUS.hint],
  ])('[AC8] refuses %s', async (_, field, code, hint) => {
    await bench.show(`${FORM}<input type="file" id="file">`);
    const { outcome } = await bench.run({ kind: 'fill', fields: [field] });
    expect([outcome?.error?.code, outcome?.error?.hint]).toEqual([code, hint]);
  });

  it('[CO2] a takeover stops it between two fields, and the former holder restores nothing', async () => {
    await bench.show(FORM);
    let keys = 0;
    bench.fence = (method) => {
      if (method === 'Input.dispatchKeyEvent') keys += 1;
      if (keys > 12) throw new WheelhouseError('CONTROL_LOST', 'Ada took the wheel.');
    };
    const { outcome } = await bench.run({
      kind: 'fill',
      atomic: true,
      fields: [
        { selector: '#name', value: 'ab' },
        { selector: '#note', value: 'a long note' },
      ],
    });
    expect([outcome?.error?.code, outcome?.value]).toEqual([
      'CONTROL_LOST',
      { filled: 2, of: 2, fields: [{ as: 'type' }, { as: 'type' }], restored: 0 },
    ]);
    expect(await bench.read('document.getElementById("name").value')).toBe('ab');
  });
});

import { expect, it } from 'vitest';
import { PersonInput } from '@/server/testing/person-input';
import { driving, soon } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * Marked text of a field that was typed into privately is not carried elsewhere by dragging, where it would be ordinary
 * text (CO8).
 */

/** Too short for the redactor of known secrets (SN6): nothing but its field keeps it. */
const SECRET = 'zq7x';
const at = (top: number): string =>
  `style="position:absolute;left:20px;top:${top}px;width:160px;height:24px;font:30px monospace"`;
const PAGE = `<title>Calm</title><body style="margin:0"><input id="word" aria-label="Word" autofocus ${at(20)}><input id="free" aria-label="Free" ${at(80)}><input id="calm" value="ordinary31words" aria-label="Calm" ${at(140)}>
<script>word.focus(); let begun = 0; addEventListener('dragstart', () => { begun += 1; });</script>`;
const fixture = useServerFixture({ '/': PAGE });

/** Marks the word in the field at this height by a double click, and drags it to another. */
async function drag(hand: PersonInput, from: number, to: number): Promise<void> {
  const press = { button: 'left', clickCount: 1, modifiers: 0 } as const;
  await hand.click(60, from);
  await hand.click(60, from, 2);
  await hand.send({ type: 'move', x: 50, y: from, buttons: 0, modifiers: 0 });
  await hand.send({ type: 'down', x: 50, y: from, ...press, buttons: 1 });
  for (let step = 1; step <= 10; step += 1)
    await hand.send({ type: 'move', x: 50 + step, y: from + ((to - from) * step) / 10, buttons: 1, modifiers: 0 });
  await hand.send({ type: 'up', x: 60, y: to, ...press, buttons: 0 });
}

it('[CO8] privately typed text stays in its field when it is selected and dragged; other text of the page can be dragged', async () => {
  const { id, person, type, hold } = await driving(fixture);
  await hold({ reason: 'a code' });
  await type(SECRET);
  await hold({ private: false });
  const hand = new PersonInput(person, fixture.inside(id));
  const values = async (): Promise<unknown> =>
    (await fixture.server.act(id, { kind: 'evaluate', fn: '() => [begun, word.value, free.value, calm.value]' })).value;
  await drag(hand, 32, 92);
  await drag(hand, 152, 92);
  await fixture.control(id, { do: 'release' });
  await soon(async () => JSON.stringify(await values()).includes('"ordinary31words",""'));

  expect(await values()).toEqual([2, SECRET, 'ordinary31words', '']);
  expect((await fixture.server.snapshot(id)).text).not.toContain(SECRET);
}, 60_000);

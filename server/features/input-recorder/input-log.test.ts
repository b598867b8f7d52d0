import { describe, expect, it } from 'vitest';
import type { DoneAction } from '@/lib/actions/done';
import type { TimelineEvent } from '@/lib/protocol/views';
import { MODIFIER_BITS } from '@/lib/input/modifiers';
import { lightLoop } from '@/server/testing/light-loop';
import { PersonInput } from '@/server/testing/person-input';
import { soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** A person's raw pointer and key input, as the timeline records it afterwards (CO11). */

const at = (top: number, rest = ''): string =>
  `style="position:absolute;left:20px;top:${top}px;width:160px;height:30px" ${rest}`;
const FIELDS = `<title>Form</title>
<button ${at(20)} onclick="this.remove()">Vanish</button>
<input ${at(60, 'aria-label="City"')}>
<input ${at(100, 'aria-label="Code"')} id="hush" type="password">
<input ${at(140, 'aria-label="First" maxlength="1"')} oninput="hush.focus()">
<div ${at(180, 'id="zone" draggable="false"')}>Zone</div>
<button ${at(220)} onclick="hush.type = 'text'">Show</button>`;
const PAGES = {
  '/': FIELDS,
  '/busy': `<title>Busy</title><input ${at(60, 'aria-label="City"')} onkeyup="if (value !== 'boston fern') return; onkeyup = null; setTimeout(work)"><div>Zone</div><script>function work() { ${await lightLoop(2_600)} }</script>`,
  '/frame': `<title>Outside</title><iframe src="ELSEWHERE/inner" style="position:absolute;left:0;top:0;width:300px;height:200px;border:0"></iframe>`,
  '/inner': `<button ${at(20)}>Inside</button><input ${at(60, 'aria-label="Deep"')}>`,
};

const CONTROL = MODIFIER_BITS.Control;
const fixture = useServerFixture(PAGES);
const [BUTTON, CITY, SECRET, FIRST, ZONE, SHOW] = [35, 75, 115, 155, 195, 235];

async function hand(path = '/', shows = 'Zone'): Promise<{ hand: PersonInput; id: string; cut(): Promise<unknown> }> {
  const { id } = await fixture.server.session(`${fixture.site}${path}`);
  expect((await fixture.server.act(id, { kind: 'wait', text: shows })).error).toBeUndefined();
  const person = fixture.person();
  await ask(person, 'session.join', { session: id });
  await ask(person, 'control', { session: id, tab: 't1', do: 'take' });
  const cut = (): Promise<unknown> =>
    ask(person, 'copy', {
      session: id,
      tab: 't1',
      epoch: fixture.inside(id).leases.lease('t1')?.epoch ?? 0,
      cut: true,
    });
  return { hand: new PersonInput(person, fixture.inside(id)), id, cut };
}

/** Releases the lease, which ends the recording, and returns the rows of raw input once each is complete. */
async function rows(id: string): Promise<TimelineEvent[]> {
  const { timeline } = fixture.inside(id);
  expect((await fixture.control(id, { do: 'release' })).status).toBe(200);
  for (;;) {
    const found = await timeline.events({ kind: 'input', limit: 100 });
    const complete = found.filter(({ phase }) => phase === 'outcome').map(({ id: row }) => row);
    if (found.length > 0 && found.every(({ id: row }) => complete.includes(row))) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const didOf = (found: readonly TimelineEvent[]): DoneAction[] => found.flatMap(({ did = [] }) => did);
/** Ignores the typed text: on a busy machine one run of keys may become two. */
const stepsOf = (found: readonly TimelineEvent[]): string[] =>
  didOf(found)
    .filter(({ action }) => action.kind !== 'type')
    .map(({ step }) => step);
const typedInto = (found: readonly TimelineEvent[], name: string): string =>
  didOf(found)
    .filter(({ action, element }) => action.kind === 'type' && element?.name === name)
    .map(({ action }) => String(action['text']))
    .join('');

describe('raw input of a person', () => {
  it('[CO11] is one row that is completed with the actions and their elements', async () => {
    const { hand: owner, id } = await hand();
    await owner.click(100, CITY);
    await owner.keys('Rim');
    await owner.key('Enter');
    await owner.click(100, BUTTON);
    await owner.send({ type: 'wheel', x: 300, y: 300, dx: 0, dy: 40, modifiers: 0 });
    await owner.drag([100, ZONE], [100, CITY]);
    const found = await rows(id);

    expect(stepsOf(found)).toEqual([
      'click role="textbox" name="City"',
      'press [Enter] role="textbox" name="City"',
      'click role="button" name="Vanish"',
      'scroll at={"x":300,"y":300} by={"dy":40}',
      'drag from={"selector":"#zone"} to={"role":"textbox","name":"City"}',
    ]);
    expect(typedInto(found, 'City')).toBe('Rim');
    expect(found.map(({ phase }) => phase).slice(0, 2)).toEqual(['event', 'outcome']);
    expect(found[1]?.text).toContain('used pointer and keys: click textbox “City”');
  }, 60_000);

  it('[SN6] into a password field leaves no text anywhere, also when the focus moves there, or the field shows its text', async () => {
    const { hand: owner, id } = await hand();
    await owner.click(100, SECRET);
    await owner.keys('qzjzjzj');
    await owner.click(100, SHOW);
    await owner.click(100, SECRET);
    await owner.keys('wyxyxyx');
    await owner.click(100, FIRST);
    await owner.keys('kvuvuvu');
    await owner.send({ type: 'paste', text: 'ggghhh' });
    const found = await rows(id);
    const all = JSON.stringify(found);

    // Long enough not to be met in a random id.
    expect(
      ['q', 'zjzjzj', 'w', 'yxyxyx', 'vuvuvu', 'k', 'ggghhh'].filter(
        (secret) =>
          didOf(found).some(({ action }) => String(action['text']).includes(secret)) ||
          (secret.length > 1 && all.includes(secret)),
      ),
    ).toEqual([]);
    expect(
      new Set(
        didOf(found)
          .filter(({ action }) => action.kind === 'type')
          .map(({ action, hidden }) => `${String(action['text'])} ${String(hidden)}`),
      ),
    ).toEqual(new Set(['${hidden} true']));
  }, 60_000);

  it('[CO11] quickly into a page that is busy until after the pause is one text, complete as soon as the page names the focused element', async () => {
    const { hand: owner, id } = await hand('/busy');
    await owner.click(100, CITY);
    await Promise.all(Array.from('boston fern', (key) => owner.key(key)));
    const { timeline } = fixture.inside(id);
    await soon(async () =>
      (await timeline.events({ kind: 'input', limit: 100 })).some(({ phase }) => phase === 'outcome'),
    );
    const found = await rows(id);

    expect(didOf(found).map(({ action, hidden }) => [action.kind, action['text'], hidden])).toEqual([
      ['click', undefined, undefined],
      ['type', 'boston fern', undefined],
    ]);
  }, 60_000);

  it('[CO11] that cuts by the cockpit is recorded as the key that cuts, on its field, without the cut text', async () => {
    const { hand: owner, id, cut } = await hand();
    await owner.click(100, CITY);
    await owner.keys('Riga');
    await owner.key('a', CONTROL);
    expect(await cut()).toEqual({ ok: true, data: { text: 'Riga' } });
    await owner.click(100, SECRET);
    await owner.keys('qzjzjzj');
    await owner.key('a', CONTROL);
    expect(await cut()).toEqual({ ok: true, data: { text: '' } });
    const found = await rows(id);

    expect(stepsOf(found).filter((step) => step.startsWith('press [Control+X]'))).toEqual([
      'press [Control+X] role="textbox" name="City"',
      'press [Control+X] role="textbox" name="Code"',
    ]);
    expect(JSON.stringify(found)).not.toContain('zjzjzj');
    const again = await fixture.server.act(id, { kind: 'type', role: 'textbox', name: 'City', text: 'Oslo' });
    const steps = didOf(found).filter(({ element, action }) => element?.name === 'City' && action.kind === 'press');
    for (const { action } of steps) expect((await fixture.server.act(id, action)).error).toBeUndefined();
    expect([
      again.error,
      (
        await fixture.server.act(id, {
          kind: 'evaluate',
          fn: `() => document.querySelector('[aria-label="City"]').value`,
        })
      ).value,
    ]).toEqual([undefined, '']);
  }, 60_000);

  it('[CO11] in a frame of another site is recorded with its element too', async () => {
    const { hand: owner, id } = await hand('/frame', 'Inside');
    await owner.click(100, BUTTON);
    await owner.click(100, CITY);
    await owner.keys('ab');
    const found = await rows(id);

    expect([stepsOf(found), typedInto(found, 'Deep')]).toEqual([
      ['click role="button" name="Inside" frame="/inner"', 'click role="textbox" name="Deep" frame="/inner"'],
      'ab',
    ]);
  }, 60_000);
});

import { expect, it } from 'vitest';
import { z } from 'zod';
import type { DoneAction } from '@/lib/actions/done';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { receiptSchema } from '@/lib/actions/receipt';
import { MODIFIER_BITS } from '@/lib/input/modifiers';
import type { PopupView } from '@/lib/protocol/popup';
import { PersonInput } from '@/server/testing/person-input';
import { soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * A receipt is enough to repeat all of it: first a person works, then its actions are carried out on a fresh copy of
 * the page (CO5, CO11).
 */

const at = (top: number, rest = ''): string =>
  `style="position:absolute;left:20px;top:${top}px;width:160px;height:24px" ${rest}`;
const ORDER = `<title>Order</title><body style="margin:0;height:2000px"><form onsubmit="event.preventDefault(); out.textContent = new URLSearchParams(new FormData(this))">
<input name="city" ${at(10, 'aria-label="City"')}><input name="nick" ${at(40, 'aria-label="Nick" value="before"')}><textarea name="note" ${at(70, 'aria-label="Note"')}></textarea>
<input name="gift" type="checkbox" ${at(100, 'aria-label="Gift"')}><select name="size" ${at(130, 'aria-label="Size"')}><option>Small<option>Medium<option>Large</select><input name="day" type="date" ${at(160, 'aria-label="Day"')}>
<input name="spare" ${at(190, 'aria-label="Spare"')}><button ${at(250)}>Send</button></form>
<div id="list" style="position:absolute;left:300px;top:10px;width:100px;height:100px;overflow:auto"><div style="height:900px">Long</div></div>
<iframe src="ELSEWHERE/inside" style="position:absolute;left:300px;top:130px;width:200px;height:100px;border:0"></iframe>
<a ${at(220, 'href="/second" target="_blank"')}>More</a><output id="out"></output>
<script>let pressed = 0; addEventListener('message', () => { pressed += 1; });
const state = () => JSON.stringify([out.textContent, pressed, list.scrollTop, Array.from(document.forms[0].elements, (one) => one.type === 'checkbox' ? one.checked : one.value)]);</script>`;
const SECOND = `<title>Second</title><body style="margin:0"><input ${at(10, 'aria-label="Away"')} onkeydown="if (event.key === 'Enter') document.title = 'Sent ' + value"><script>const state = () => document.title;</script>`;

const fixture = useServerFixture({
  '/': ORDER,
  '/second': SECOND,
  '/inside': `<body style="margin:0"><button ${at(10)} onclick="parent.postMessage(1, '*')">Count</button>`,
});

const act = async (id: string, tab: string, action: unknown): Promise<Reply> =>
  replySchema.parse((await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/${tab}/act`, action)).body);
const stateOf = async (id: string, tab: string): Promise<unknown> =>
  (await act(id, tab, { kind: 'evaluate', fn: '() => state()' })).value;
const frameShown = (id: string): Promise<void> =>
  soon(() =>
    fixture
      .inside(id)
      .registry.find('t1')
      .tab.frames.list()
      .some(({ url }) => url.endsWith('/inside')),
  );
const secondShown = (id: string): Promise<void> =>
  soon(() =>
    fixture
      .inside(id)
      .registry.all()
      .some(({ tab }) => tab.title === 'Second'),
  );

/** A person who drives a session, with everything that the cockpit has. */
async function person(id: string): Promise<{
  hand(tab: string): PersonInput;
  act(tab: string, action: object): Promise<void>;
  take(tab: string): Promise<void>;
  cut(): Promise<void>;
}> {
  const client = fixture.person();
  await ask(client, 'session.join', { session: id });
  const well = async (answer: Promise<{ ok: boolean }>): Promise<void> =>
    expect(await answer).toMatchObject({ ok: true });
  return {
    hand: (tab) => new PersonInput(client, fixture.inside(id), tab),
    act: (tab, action) => well(ask(client, 'act', { session: id, tab, action })),
    take: (tab) => well(ask(client, 'control', { session: id, tab, do: 'take' })),
    cut: () =>
      well(
        ask(client, 'copy', {
          session: id,
          tab: 't1',
          epoch: fixture.inside(id).leases.lease('t1')?.epoch ?? 0,
          cut: true,
        }),
      ),
  };
}

/** The popup that the cockpit draws for a press; asks again when a busy machine was too slow. */
async function popupOf(press: () => Promise<PopupView | undefined>): Promise<PopupView> {
  let popup: PopupView | undefined;
  await soon(async () => (popup = await press()) !== undefined);
  if (!popup) throw new Error('Nothing is drawn.');
  return popup;
}

/** A sitting at the page: text in fields, a box, a list, a day, scrolling, a frame, another tab, and Enter. */
async function sit(id: string): Promise<void> {
  const owner = await person(id);
  await owner.take('t1');
  const hand = owner.hand('t1');
  await hand.click(100, 22);
  await hand.keys('Rima');
  await hand.key('Backspace');
  await hand.key('Backspace');
  await hand.keys('ga');
  await hand.click(100, 52);
  await hand.key('a', MODIFIER_BITS.Control);
  await hand.keys('fern');
  await hand.key('Tab');
  await hand.keys('one');
  await hand.key('Enter');
  await hand.keys('two');
  await hand.click(100, 112);
  const size = await popupOf(() => hand.click(100, 142));
  await owner.act('t1', { kind: 'select', node: size.node, values: ['Large'], by: 'label' });
  const day = await popupOf(() => hand.click(168, 172));
  await owner.act('t1', { kind: 'type', node: day.node, text: '2027-02-03' });
  await hand.click(100, 202);
  await hand.send({ type: 'paste', text: 'pasted' });
  await hand.key('a', MODIFIER_BITS.Control);
  await owner.cut();
  await hand.send({ type: 'wheel', x: 350, y: 60, dx: 0, dy: 120, modifiers: 0 });
  await hand.click(380, 152);
  await hand.click(40, 232);
  await secondShown(id);
  await owner.take('t2');
  await owner.hand('t2').click(100, 22);
  await owner.hand('t2').keys('zwei');
  await owner.hand('t2').key('Enter');
  await owner.act('t1', { kind: 'tab', do: 'focus' });
  await hand.click(100, 22);
  await hand.key('Enter');
}

/** Waits until the recorded work is complete, even if the page was late to name its elements. */
async function complete(id: string): Promise<void> {
  const { timeline } = fixture.inside(id);
  await soon(async () => {
    const rows = await timeline.events({ kind: 'input', limit: 100 });
    return rows.every(({ id: row }) => rows.some(({ id: other, phase }) => other === row && phase === 'outcome'));
  });
}

async function receiptOf(id: string): Promise<DoneAction[]> {
  expect(await fixture.control(id, { do: 'hand-back' })).toMatchObject({ status: 200 });
  const { body } = await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=20000`);
  return z.object({ handoff: receiptSchema }).parse(body).handoff.actions ?? [];
}

it('[CO5][CO11] the actions of a receipt, sent to a fresh copy of the page, bring it to the same state', async () => {
  const { id } = await fixture.server.session(fixture.url);
  await act(id, 't1', { kind: 'press', key: 'Shift' });
  await frameShown(id);
  await sit(id);
  await complete(id);
  const actions = await receiptOf(id);
  await soon(async () => String(await stateOf(id, 't1')).includes(',1,120,'));
  const [first, second] = [await stateOf(id, 't1'), await stateOf(id, 't2')];

  const fresh = await fixture.server.session(fixture.url);
  await frameShown(fresh.id);
  const failed: unknown[] = [];
  for (const { tab, action, step } of actions) {
    if (tab === 't2') await secondShown(fresh.id).catch(() => undefined);
    const { error } = await act(fresh.id, tab ?? 't1', action);
    if (error) failed.push([step, error.code, error.message]);
  }

  await soon(async () => String(await stateOf(fresh.id, 't1')).includes(',1,120,')).catch(() => undefined);
  expect(failed).toEqual([]);
  expect(first).toBe(
    '["city=Riga&nick=fern&note=one%0Atwo&gift=on&size=Large&day=2027-02-03&spare=",1,120,["Riga","fern","one\\ntwo",true,"Large","2027-02-03","",""]]',
  );
  expect([await stateOf(fresh.id, 't1'), await stateOf(fresh.id, 't2')]).toEqual([first, second]);
  expect(second).toBe('Sent zwei');
}, 120_000);

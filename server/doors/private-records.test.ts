import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { receiptSchema, type Receipt } from '@/lib/actions/receipt';
import { PersonInput } from '@/server/testing/person-input';
import { soon } from '@/server/testing/private-page';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * Other records of a person's work, and what a private hold leaves out of them: receipt, rows of raw input, pictures,
 * questions (CO5, CO8, CO11, TL2).
 */

const at = (top: number): string => `style="position:absolute;left:20px;top:${top}px;width:160px;height:30px"`;
const FORM = `<title>Form</title><body style="margin:0;height:600px"><button ${at(20)} onclick="document.body.style.background='rgb('+[1,2,3].map(()=>Math.floor(Math.random()*255))+')'">Paint</button><input ${at(60)} aria-label="City"><input ${at(100)} aria-label="Town">`;
const SECRET = 'wombat31polka';
const OTHER = 'gecko58rumba';

const slow: ServerResponse[] = [];
const fixture = useServerFixture(
  { '/': FORM, '/slow': (_, response) => void slow.push(response) },
  { shared: true, env: { TIMELINE_PICTURES_MB: '1' } },
);

interface Taken {
  readonly id: string;
  readonly person: Client;
  readonly hand: PersonInput;
  act(action: unknown): Promise<boolean>;
  hold(on: boolean): Promise<void>;
}

/** A person who took the lease from an agent and has looked at the page. */
async function taken(): Promise<Taken> {
  const { id } = await fixture.server.session(fixture.url);
  await fixture.server.act(id, { kind: 'press', key: 'Shift' });
  await fixture.server.snapshot(id, 'refs=1');
  const person = fixture.person();
  await ask(person, 'session.join', { session: id });
  const take = async (more: object): Promise<void> =>
    expect(await ask(person, 'control', { session: id, tab: 't1', do: 'take', ...more })).toMatchObject({ ok: true });
  await take({});
  const act = async (action: unknown): Promise<boolean> => {
    const done = await ask(person, 'act', { session: id, tab: 't1', action });
    return done.ok && done.data.ok;
  };
  return { id, person, hand: new PersonInput(person, fixture.inside(id)), act, hold: (on) => take({ private: on }) };
}

async function handBack(id: string): Promise<Receipt> {
  expect((await fixture.control(id, { do: 'hand-back' })).status).toBe(200);
  return z
    .object({ handoff: receiptSchema })
    .parse((await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=20000`)).body)
    .handoff;
}

describe('records of a person’s work around a private hold', () => {
  it('[CO5][CO8][CO11] neither the receipt nor the rows of raw input contain actions of the hold; they contain those before and after', async () => {
    const { id, hand, act, hold } = await taken();
    await hand.click(100, 35);
    await hold(true);
    await hand.click(100, 75);
    await hand.keys(SECRET);
    expect(await act({ kind: 'type', selector: '[aria-label="Town"]', text: OTHER })).toBe(true);
    await hold(false);
    await hand.click(100, 35);
    const receipt = await handBack(id);
    const rows = await fixture.inside(id).timeline.events({ limit: 500 });

    expect((receipt.actions ?? []).map(({ step }) => step)).toEqual([
      'click role="button" name="Paint" nth=0',
      'click role="button" name="Paint" nth=0',
    ]);
    // On a busy machine the row of the work before is completed only when the page is already private, and then has no
    // text.
    expect(new Set(rows.flatMap(({ did = [] }) => did).map(({ element }) => element?.name))).toEqual(
      new Set(['Paint']),
    );
    expect(JSON.stringify([receipt, rows])).not.toMatch(new RegExp(`${SECRET}|${OTHER}|wombat|gecko`));
  }, 60_000);

  it('[CO5][CO8] actions that began in it and end after it are left out too', async () => {
    const { id, act, hold } = await taken();
    await hold(true);
    const before = slow.length;
    const going = act({ kind: 'navigate', url: `${fixture.site}/slow` });
    await soon(() => slow.length > before);
    await hold(false);
    slow.at(-1)?.end('<title>Slow</title>');
    expect(await going).toBe(true);
    const receipt = await handBack(id);
    const rows = await fixture.inside(id).timeline.events({ kind: 'navigate', limit: 100 });

    expect(receipt.actions).toEqual([]);
    expect(
      rows
        .filter(({ actor }) => actor.kind === 'human')
        .map(({ phase, deed, text }) => [phase, deed, text.includes('slow')]),
    ).toEqual([
      ['intent', undefined, false],
      ['outcome', undefined, false],
    ]);
  }, 60_000);

  it('[CO8][TL2] moments in it have no picture, even while its holder watches; the next one has', async () => {
    const { id, person, act, hold } = await taken();
    person.on('frame', (_meta, _picture, painted) => painted());
    await ask(person, 'stream.open', { session: id, tab: 't1', tier: 'thumbnail' });
    const paint = { kind: 'click', selector: 'button' };
    const rows = async (session = id) =>
      (await fixture.inside(session).timeline.events({ kind: 'click', limit: 100 })).filter(
        ({ phase }) => phase === 'outcome',
      );
    expect(await act(paint)).toBe(true);
    await soon(async () => (await rows()).at(-1)?.picture !== undefined);
    await hold(true);
    expect(await act(paint)).toBe(true);
    // Timers than that, elsewhere: by then there would be one.
    const other = await fixture.open();
    await fixture.server.act(other, paint);
    await soon(async () => (await rows(other)).at(-1)?.picture !== undefined);
    await hold(false);
    await soon(() => fixture.inside(id).visibility.visibilityEpoch('t1') !== undefined);
    expect(await act(paint)).toBe(true);
    await soon(async () => (await rows()).at(-1)?.picture !== undefined);

    expect((await rows()).map(({ picture }) => picture !== undefined)).toEqual([true, false, true]);
  }, 60_000);

  it('[CO6][CO8] an agent may ask for a person meanwhile, but not about an element of the page', async () => {
    const { id, hold } = await taken();
    await hold(true);
    const control = `/api/v1/sessions/${id}/tabs/t1/control`;
    const about = await fixture.server.api('POST', control, {
      do: 'ask-human',
      reason: 'a code',
      ref: 'e1',
      timeoutMs: 1_000,
    });
    const plain = await fixture.server.api('POST', control, { do: 'ask-human', reason: 'a code', timeoutMs: 1_000 });

    expect([about.body, plain.body]).toMatchObject([
      { error: { code: 'CONTROL_HELD', details: { private: true } } },
      { error: { code: 'TIMEOUT', details: { question: { state: 'open' } } } },
    ]);
  }, 60_000);
});

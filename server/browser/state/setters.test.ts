import { describe, expect, it } from 'vitest';
import { changedBy, type Emulation, type EmulationChange } from '@/lib/state/emulation';
import { Setters } from './setters';

const BOT = { id: 'bot', name: 'Bot' };
const OTHER = { id: 'other', name: 'Other' };

/** Changes in order, by an agent or a person, as a tab takes them. */
function after(...steps: readonly (readonly [EmulationChange, typeof BOT?])[]): {
  settings: Emulation;
  setters: Setters;
} {
  const setters = new Setters();
  let settings: Emulation = {};
  for (const [change, agent] of steps) {
    setters.changes(change, settings, agent);
    settings = changedBy(settings, change);
  }
  return { settings, setters };
}

describe('settings per driver', () => {
  it("[CO3] settings of an agent do not apply while others drive, and apply again for the agent; the page's appearance stays", () => {
    const { settings, setters } = after([{ offline: true, headers: { a: '1' }, timezone: 'Asia/Tokyo' }, BOT]);
    expect([
      setters.seenBy('ana', settings),
      setters.seenBy('bot', settings),
      setters.seenBy(undefined, settings),
    ]).toEqual([{ timezone: 'Asia/Tokyo' }, settings, settings]);
    expect(setters.left('ana', settings).map(({ field, aside }) => [field, aside])).toEqual([
      ['offline', true],
      ['headers', true],
      ['timezone', false],
    ]);
    expect(setters.left('bot', settings)).toEqual([]);
  });

  it("[CO3] a person's former settings come back, also when several agents changed or removed them", () => {
    const changed = after(
      [{ headers: { person: '1' } }],
      [{ headers: { bot: '1' } }, BOT],
      [{ headers: { other: '1' } }, OTHER],
    );
    const taken = after([{ headers: { person: '1' } }], [{ headers: null }, BOT]);
    expect([changed.setters.seenBy('ana', changed.settings), taken.setters.seenBy('ana', taken.settings)]).toEqual([
      { headers: { person: '1' } },
      { headers: { person: '1' } },
    ]);
    expect(changed.setters.seenBy('other', changed.settings)).toEqual({ headers: { other: '1' } });
  });

  it('[CO3] settings of a person apply to everybody', () => {
    const { settings, setters } = after([{ offline: true }, BOT], [{ offline: false }]);
    expect([setters.seenBy('ana', settings), setters.seenBy('bot', settings), setters.left('ana', settings)]).toEqual([
      { offline: false },
      { offline: false },
      [],
    ]);
  });
});

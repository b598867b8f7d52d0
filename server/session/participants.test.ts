import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import { everywhere } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';
import { Participants } from './participants';

const bot: Principal = {
  id: 'a1',
  name: 'bot',
  kind: 'agent',
  person: 'p1',
  workspace: 'w',
  rights: everywhere([]),
  rev: 0,
  expiresAt: undefined,
  credential: { kind: 'key', id: 'k1' },
};

const ada = (login: string): Principal => ({
  id: 'p1',
  name: 'Ada',
  kind: 'human',
  person: 'p1',
  workspace: 'w',
  rights: everywhere([]),
  rev: 0,
  expiresAt: undefined,
  credential: { kind: 'cookie', id: login },
});
const login = (id: string) => ({ kind: 'cookie', id }) as const;

describe('a person with two sign-ins', () => {
  it('[CO7][R3] is present as long as one of the sign-ins is connected, whichever came first', () => {
    const participants = new Participants('s_1', new FakeClock());
    participants.connect(ada('desk'));
    const leavePhone = participants.connect(ada('phone'));
    const first = participants.ended(login('desk'));
    const left = leavePhone();
    participants.connect(ada('phone'));
    const second = participants.ended(login('phone'));

    // The connection of the sign-in that ended is closed by the door; it counts no more.
    expect([first, left, second, participants.ended(login('phone'))]).toEqual([[], 0, ['p1'], []]);
  });

  it('[R3] without a connection is present by the sign-in that called last', () => {
    const participants = new Participants('s_1', new FakeClock());
    for (const one of ['desk', 'phone']) participants.admitParticipant(ada(one));
    const first = participants.ended(login('desk'));

    expect([first, participants.ended(login('phone'))]).toEqual([[], ['p1']]);
  });

  it('[CO7][R3] stays present by the other window when a call of the ended sign-in arrives after its end', () => {
    const participants = new Participants('s_1', new FakeClock());
    const leaveDesk = participants.connect(ada('desk'));
    participants.connect(ada('phone'));
    participants.ended(login('desk'));
    participants.admitParticipant(ada('desk'));
    const left = leaveDesk();

    expect([left, participants.online('p1')]).toEqual([1, true]);
  });

  it('[R3] an agent whose key has ended can be given nothing any more', () => {
    const participants = new Participants('s_1', new FakeClock());
    const agent = { ...bot, rights: everywhere(['drive']) };
    const leave = participants.connect(agent);
    const before = participants.present('bot').map(({ id }) => id);
    const ended = participants.ended({ kind: 'key', id: 'k1' });

    expect([before, ended, participants.present('bot'), participants.views(), leave()]).toEqual([
      ['a1'],
      ['a1'],
      [],
      [],
      0,
    ]);
  });
});

describe('a silent agent', () => {
  it('[CO10] counts as present for a minute, and for as long as it holds a lease or waits for one', () => {
    const clock = new FakeClock();
    const participants = new Participants('s_1', clock);
    participants.admitParticipant(bot);
    const here = (bound: readonly string[]) => participants.views(new Set(bound)).map(({ online }) => online);
    const atOnce = here([]);
    clock.advance(61_000);

    expect([atOnce, here([]), here(['a1']), here(['a2'])]).toEqual([[true], [false], [true], [false]]);
  });
});

describe('a session with 150 participants', () => {
  it('[AU4] has a hundred guests at most, who make room for each other, so that members find a place', () => {
    const participants = new Participants('s_1', new FakeClock());
    const come = (one: Principal): void => {
      participants.makeRoom(one, () => new Set());
      participants.connect(one);
    };
    const link = { id: 'sh_1', session: 's_1', tab: undefined, since: '', by: 'Ada' };
    const guest = (n: number): Principal => ({
      ...{ kind: 'guest', id: `g_${n}`, name: `Guest: ${n}`, workspace: 'w1', rights: ada('desk').rights, rev: 0 },
      ...{ expiresAt: 1, credential: { kind: 'link', id: `g_${n}` }, link },
    });
    participants.admitParticipant(guest(0));
    for (let n = 1; n <= 100; n += 1) come(guest(n));
    const ids = participants.views().map(({ id }) => id);

    expect([ids.length, ids.includes('g_0')]).toEqual([100, false]);
    expect(() => come(guest(101))).toThrow(expect.objectContaining({ code: 'QUOTA', details: { limit: 100 } }));
    expect(() => come(ada('desk'))).not.toThrow();
  });

  const agent = (n: number): Principal => ({ ...bot, id: `a${n}`, name: `bot ${n}` });

  it('[AU5] forgets the agent that has been silent longest, then people, but nobody who is connected or has the wheel', () => {
    const clock = new FakeClock();
    const participants = new Participants('s_1', clock);
    const come = (one: Principal, bound: readonly string[] = []): void => {
      clock.advance(1);
      participants.makeRoom(one, () => new Set(bound));
      participants.admitParticipant(one);
    };
    const ids = (): string[] => participants.views().map(({ id }) => id);
    come(ada('desk'));
    for (let n = 1; n <= 149; n += 1) come(agent(n));
    const leave = participants.connect(agent(1));
    come(agent(150), ['a2']);
    const first = ids();
    for (const n of [2, ...Array.from({ length: 147 }, (_, index) => index + 4)]) participants.connect(agent(n));
    come(agent(151));
    const second = ids();
    participants.connect(agent(151));
    const full = (): void => come(agent(152));

    expect([first.length, first.includes('a3'), first.includes('a2'), first.includes('p1')]).toEqual([
      ...[150, false, true, true],
    ]);
    expect([second.length, second.includes('p1'), second.includes('a1')]).toEqual([150, false, true]);
    expect(full).toThrow(expect.objectContaining({ code: 'QUOTA', details: { limit: 150 } }));
    leave();
    expect(full).not.toThrow();
    expect([ids().length, ids().includes('a1')]).toEqual([150, false]);
  });
});

import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { Principal } from '@/server/access/principal';
import { Participants } from './participants';

const bot: Principal = { id: 'a1', name: 'bot', kind: 'agent', person: 'p1', workspace: 'w', grants: new Set(), rev: 0, expiresAt: undefined, credential: { kind: 'key', id: 'k1' } };

describe('an agent that says nothing', () => {
  it('[CO10] counts as here for a minute, and for as long as it has a wheel or waits for one', () => {
    const clock = new FakeClock();
    const participants = new Participants(clock);
    participants.admit(bot);
    const here = (bound: readonly string[]) => participants.views(new Set(bound)).map(({ online }) => online);
    const atOnce = here([]);
    clock.advance(61_000);

    expect([atOnce, here([]), here(['a1']), here(['a2'])]).toEqual([[true], [false], [true], [false]]);
  });
});

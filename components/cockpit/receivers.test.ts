import { expect, it } from 'vitest';
import { rosterOf } from '@/lib/presence/standing';
import type { ParticipantView } from '@/lib/protocol/views';
import { receivers } from './receivers';

const someone = (id: string, over: Partial<ParticipantView> = {}): ParticipantView => ({
  id,
  name: id,
  kind: 'human',
  colour: 0,
  online: true,
  grants: ['watch', 'drive'],
  ...over,
});

it('[CO4] the lease can be handed to whoever is here and may drive, raised hands first, then people; not to oneself, nor to the agent that gets it back', () => {
  const here = [
    someone('you'),
    someone('bot', { kind: 'agent' }),
    someone('back', { kind: 'agent' }),
    someone('zoe'),
    someone('ana'),
    someone('mia', { hand: '2026-11-23T08:00:00.000Z' }),
    someone('away', { online: false }),
    someone('guest', { grants: ['watch'] }),
  ];

  expect(receivers(rosterOf(here, []), 'you', 'back').map(({ participant: { id } }) => id)).toEqual([
    'mia',
    'ana',
    'zoe',
    'bot',
  ]);
});

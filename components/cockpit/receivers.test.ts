import { expect, it } from 'vitest';
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

it('[CO4] the lease can be handed to whoever is here and may drive, people first; not to oneself, nor to the agent that gets it back', () => {
  const here = [
    someone('you'),
    someone('bot', { kind: 'agent' }),
    someone('back', { kind: 'agent' }),
    someone('zoe'),
    someone('ana'),
    someone('away', { online: false }),
    someone('guest', { grants: ['watch'] }),
  ];

  expect(receivers(here, 'you', 'back').map(({ id }) => id)).toEqual(['ana', 'zoe', 'bot']);
});

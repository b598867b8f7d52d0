import { defineAction } from './context';

export const stop = defineAction({
  kind: 'stop',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  run: async (_, action) => ({ value: { answer: action.answer ?? '' } }),
});

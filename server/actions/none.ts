import { defineAction } from './context';

export const none = defineAction({
  kind: 'none',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  run: async () => ({}),
});

import { defineAction } from './context';

export const none = defineAction({ kind: 'none', settles: false, queued: false, run: async () => ({}) });

export const stop = defineAction({
  kind: 'stop',
  settles: false,
  queued: false,
  run: async (_, action) => ({ value: { answer: action.answer ?? '' } }),
});

export const resize = defineAction({
  kind: 'resize',
  settles: true,
  queued: true,
  run: async (context, { width, height, deviceScaleFactor = 1, mobile = false }) => {
    const viewport = { width, height, deviceScaleFactor, mobile };
    await context.budget.race(context.resize(viewport));
    return { value: viewport };
  },
});

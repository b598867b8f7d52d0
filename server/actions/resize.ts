import { defineAction } from './context';

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

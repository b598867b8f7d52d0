import { defineAction } from './context';
import { atTarget } from './at-target';

export const hover = defineAction({
  kind: 'hover',
  settles: true,
  queued: true,
  run: (context, action) =>
    atTarget(context, action, { force: action.force }, async (point) => {
      await context.tab.input.hover(context.write, context.budget, point);
      return [];
    }),
});

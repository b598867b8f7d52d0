import { elementTarget, onElement } from './resolved-target';
import { defineAction } from './context';
import { REST_MS, stateSchema } from './scroll';

export const scrollIntoView = defineAction({
  kind: 'scrollIntoView',
  settles: true,
  queued: true,
  run: (context, action) =>
    onElement(context, elementTarget(action), { hitTest: false }, async ({ element, warnings }) => {
      await element.fenced(context.write)('DOM.scrollIntoViewIfNeeded', { objectId: element.objectId });
      await element.ask(context.budget, stateSchema, 'scroller', 'rested', { value: true }, { value: REST_MS });
      return { via: element.via, warnings };
    }),
});

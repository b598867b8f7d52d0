import { elementTarget, onElement } from './resolved-target';
import { defineAction } from './context';

export const highlight = defineAction({
  kind: 'highlight',
  settles: false,
  queued: true,
  run: (context, action) =>
    onElement(context, elementTarget(action), { hitTest: false }, async ({ element, warnings }) => {
      await context.tab.tools.highlight.show(element.fenced(context.write), element.session, element.objectId);
      return { via: element.via, warnings };
    }),
});

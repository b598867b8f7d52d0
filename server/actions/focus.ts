import { WheelhouseError } from '@/lib/errors/error';
import { elementTarget, focusOn, onElement } from './resolved-target';
import { defineAction } from './context';

export const focus = defineAction({
  kind: 'focus',
  settles: false,
  queued: true,
  run: (context, action) =>
    onElement(context, elementTarget(action), { enabled: true, hitTest: false }, async ({ element, warnings }) => {
      if (await focusOn(context, element)) return { via: element.via, warnings };
      throw new WheelhouseError('WRONG_ELEMENT', `${element.title} cannot have the keyboard focus.`, {
        details: { target: element.about },
      });
    }),
});

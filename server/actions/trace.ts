import type { ActionOf } from '@/lib/actions/kinds';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** A performance trace of the page (PS5). It works on a page that hangs, which is when one is wanted. */
export const trace = defineAction({
  kind: 'trace',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  run: async (context, action) => ({ value: await run(context, action) }),
});

function run(
  { traces, budget, write }: ActionContext,
  { do: verb, screenshots, maxMs, gzip, saveAs }: ActionOf<'trace'>,
): HandlerResult['value'] {
  switch (verb) {
    case 'start':
      return traces.start(budget, write, { screenshots, maxMs });
    case 'stop':
      return traces.stop(budget, { gzip, saveAs });
    case 'get':
      return traces.state();
  }
}

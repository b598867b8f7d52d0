import type { ActionOf } from '@/lib/actions/kinds';
import { clearCookies, cookieView, readCookies, setCookies } from '@/server/browser/state/cookies';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** Cookies of the session's context (PS3). Chrome itself answers, not the page, so it works while that hangs. */
export const cookies = defineAction({
  kind: 'cookies',
  settles: false,
  queued: true,
  worksWhenStuck: true,
  run: (context, action) => run(context, action),
});

async function run(
  { tab, budget, write, showsValues }: ActionContext,
  action: ActionOf<'cookies'>,
): Promise<HandlerResult> {
  const scope = 'context';
  const { bulk } = tab.sessions;
  if (action.do === 'get') {
    const found = await budget.during('the cookies', () => readCookies(bulk, action.urls));
    return {
      value: { scope, cookies: found.map((cookie) => cookieView(cookie, showsValues)) },
      ...(showsValues ? {} : { warnings: ['Values are shown only to who may run scripts.'] }),
    };
  }
  if (action.do === 'set') {
    const given = action.cookies ?? [];
    await setCookies(write, tab.url, given);
    return { value: { scope, changed: given.length } };
  }
  const present = await budget.during('the cookies', () => readCookies(bulk, undefined));
  return { value: { scope, changed: await clearCookies(write, present, action) } };
}

import type { Reply } from '@/lib/actions/reply';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';

const BUDGET_MS = 400;
/** Several times the budget and its grace. */
const MARKER_MS = 2_500;
/** Tries for a page that cannot be freed at once (EV4); each one waits by itself. */
const TRIES = 20;

/** Eight ways to block a page's main thread, and whether Chrome can end it at once. */
const HANGS: readonly { readonly name: string; readonly fn: string }[] = [
  { name: 'a synchronous loop', fn: '() => { while (true) {} }' },
  {
    name: 'a flood of microtasks',
    fn: '() => { const again = () => Promise.resolve().then(again); again(); return new Promise(() => {}); }',
  },
  { name: 'regex backtracking', fn: '() => /^(a+)+$/.test("a".repeat(40) + "b")' },
  {
    name: 'a timer that loops',
    fn: '() => { setTimeout(() => { while (true) {} }, 0); return new Promise(() => {}); }',
  },
  {
    name: 'an animation frame that loops',
    fn: '() => { requestAnimationFrame(() => { while (true) {} }); return new Promise(() => {}); }',
  },
  {
    name: 'WebAssembly that loops',
    fn: `() => { const code = Uint8Array.from([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]); new WebAssembly.Instance(new WebAssembly.Module(code)).exports.f(); }`,
  },
  {
    name: 'a synchronous request',
    fn: '(url) => { const request = new XMLHttpRequest(); request.open("GET", url, false); request.send(); while (true) {} }',
  },
  {
    name: 'a huge layout',
    fn: '() => { const box = document.createElement("div"); document.body.append(box); for (;;) { box.innerHTML = "<div style=\'display:flex\'>".repeat(300) + "x".repeat(20000); box.offsetHeight; } }',
  },
];

async function pressed(fixture: CampaignFixture, session: string): Promise<Reply> {
  let reply = await fixture.act(session, { kind: 'click', selector: '#b', timeoutMs: 10_000 });
  for (let tries = 1; tries < TRIES && reply.error?.code === 'TAB_UNRESPONSIVE'; tries += 1)
    reply = await fixture.act(session, { kind: 'click', selector: '#b', timeoutMs: 10_000 });
  return reply;
}

/** F4: the caller is answered by its deadline, the loop is freed, and the next click works. */
export const hangs: Campaign = {
  id: 'F4',
  about: 'a script that never ends: answered in time, freed, next click works',
  full: HANGS.length * 20,
  round: async (fixture, random, index) => {
    const hang = HANGS[index % HANGS.length];
    if (!hang) throw new Error('There are hang kinds.');
    const session = await fixture.session();
    try {
      const timeoutMs = random.between(BUDGET_MS / 2, BUDGET_MS);
      const { value: reply, late } = await before(
        MARKER_MS,
        fixture.act(session, { kind: 'evaluate', fn: hang.fn, args: [fixture.pageUrl], timeoutMs }),
      );
      if (reply.error?.code !== 'TIMEOUT') return `${hang.name} was answered ${reply.error?.code ?? 'ok'}`;
      if (late) return `${hang.name} was answered after the marker`;
      const click = await pressed(fixture, session);
      return click.ok
        ? undefined
        : `after ${hang.name} a click was answered ${click.error?.code ?? '?'}: ${click.error?.message ?? ''}`;
    } finally {
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};

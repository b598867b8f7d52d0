import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';

/** Several times the promised 1.5 s for the answer and 6 s for the pages' return. */
const ANSWER_MS = 6_000;
const BACK_MS = 25_000;

const DOING: readonly object[] = [
  { kind: 'evaluate', fn: '() => { window.clicks = 1; return new Promise(() => {}); }' },
  { kind: 'type', selector: '#f', text: 'x'.repeat(2_000), slowly: true },
  { kind: 'wait', text: 'never there' },
  { kind: 'click', selector: '#b', holdMs: 5_000 },
];

/** Settles when the session is live again in a new Chrome. */
function returned(fixture: CampaignFixture, id: string): Promise<void> {
  const session = fixture.inside(id);
  return new Promise((resolve) => {
    const look = (): void => {
      if (session.state !== 'live' || !session.view().restored) return;
      off();
      resolve();
    };
    const off = session.onChange.on(look);
    look();
  });
}

/**
 * F1: Chrome is killed during an action; the caller gets an error, and the session comes back without repeating the
 * action.
 */
export const chromeKilled: Campaign = {
  id: 'F1',
  about:
    'Chrome killed during an action: answered BROWSER_DOWN in time, back by itself at its address, epoch higher, nothing done again',
  full: 50,
  round: async (fixture, random) => {
    const session = await fixture.session();
    try {
      const action = random.pick(DOING);
      const pid = await fixture.chromePid();
      const waiting = fixture.act(session, { ...action, timeoutMs: 60_000 });
      await fixture.act(session, { kind: 'wait', timeMs: random.between(0, 150) });
      const { epoch } = fixture.inside(session).control('t1');
      process.kill(-pid, 'SIGKILL');
      const { value: reply, late } = await before(ANSWER_MS, waiting);
      if (reply.error?.code !== 'BROWSER_DOWN')
        return `${JSON.stringify(action).slice(0, 60)} was answered ${reply.error?.code ?? 'ok'}`;
      if (late) return 'answered after the marker';
      if ((await before(BACK_MS, returned(fixture, session))).late) return 'back after the marker';
      // It is back when its page has begun to load; a busy machine takes a while to show the field.
      await fixture.act(session, { kind: 'wait', selector: '#f' });
      const [tab] = fixture.inside(session).view().tabs;
      if (tab?.url !== fixture.pageUrl || tab.control.epoch <= epoch)
        return `back at ${tab?.url ?? 'no tab'}, epoch ${tab?.control.epoch ?? 0} after ${epoch}`;
      const { value } = await fixture.act(session, {
        kind: 'evaluate',
        fn: '[window.clicks ?? 0, document.querySelector("#f").value]',
      });
      return JSON.stringify(value) === '[0,""]' ? undefined : `back with ${JSON.stringify(value)} on the page`;
    } finally {
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};

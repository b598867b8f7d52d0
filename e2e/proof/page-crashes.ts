import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';

const MARKER_MS = 5_000;

const DOING: readonly object[] = [
  { kind: 'evaluate', fn: '() => new Promise(() => {})' },
  { kind: 'wait', text: 'never there' },
  { kind: 'type', selector: '#f', text: 'x'.repeat(2_000), slowly: true },
];

/**
 * Crashes the page; settles when the timeline reports the remedy. Chrome never answers the command, since the page is
 * gone.
 */
function crash(fixture: CampaignFixture, id: string): Promise<string> {
  const session = fixture.inside(id);
  const told = new Promise<string>((resolve) => {
    const off = session.timeline.onEvent.on(({ said }) => {
      if (said?.code !== 'pageCrashedMended' && said?.code !== 'pageCrashedAgain') return;
      off();
      resolve(said.code);
    });
  });
  session
    .activeSessionTab()
    .tab.sessions.bulk.send('Page.crash')
    .catch(() => undefined);
  return told;
}

/** Settles when the page has loaded again. */
function mended(fixture: CampaignFixture, id: string): Promise<void> {
  const session = fixture.inside(id);
  return new Promise((resolve) => {
    const look = (): void => {
      if (session.activeSessionTab().tab.health.state === 'crashed') return;
      off();
      resolve();
    };
    const off = session.onChange.on(look);
    look();
  });
}

/**
 * F3: the page's process dies during an action; the caller gets an error, the page is opened again once by itself, and
 * a remedy helps the next time.
 */
export const pageCrashes: Campaign = {
  id: 'F3',
  about:
    'a page that crashes during an action: answered TAB_CRASHED in time, opened again once by itself, then by a remedy; the next click works',
  full: 50,
  round: async (fixture, random) => {
    const session = await fixture.session();
    const click = async (): Promise<string> =>
      (await fixture.act(session, { kind: 'click', selector: '#b', timeoutMs: 10_000 })).error?.code ?? 'ok';
    try {
      const waiting = fixture.act(session, { ...random.pick(DOING), timeoutMs: 60_000 });
      await fixture.act(session, { kind: 'wait', timeMs: random.between(0, 150) });
      const first = crash(fixture, session);
      const { value: reply, late } = await before(MARKER_MS, waiting);
      if (reply.error?.code !== 'TAB_CRASHED' || late)
        return `answered ${reply.error?.code ?? 'ok'}${late ? ' after the marker' : ''}`;
      if ((await before(MARKER_MS, mended(fixture, session))).late) return 'opened again after the marker';
      const clicked = await click();
      const [once, again] = [await first, await crash(fixture, session)];
      const refused = await click();
      const remedy = await fixture.act(session, { kind: 'remedy', do: random.pick(['reload', 'restart']) });
      const helped = await click();
      const seen = [once, clicked, again, refused, remedy.error?.code ?? 'ok', helped].join(', ');
      return seen === 'pageCrashedMended, ok, pageCrashedAgain, TAB_CRASHED, ok, ok' ? undefined : seen;
    } finally {
      await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};

import type { Campaign } from './campaign';
import { before, type Ground } from './ground';

const MARKER_MS = 5_000;

const DOING: readonly object[] = [
  { kind: 'evaluate', fn: '() => new Promise(() => {})' },
  { kind: 'wait', text: 'never there' },
  { kind: 'type', selector: '#f', text: 'x'.repeat(2_000), slowly: true },
];

/** Chrome never answers this one: the page that would is gone. */
function crash(ground: Ground, session: string): void {
  const { tab } = ground.inside(session).activeSeat();
  tab.sessions.bulk.send('Page.crash').catch(() => undefined);
}

/** F3: the page's process dies in the middle of an action; the caller is told, and a reload brings the page back. */
export const crashed: Campaign = {
  id: 'F3',
  about: 'a page that crashes during an action: answered TAB_CRASHED in time, works again after a reload',
  full: 50,
  round: async (ground, random) => {
    const session = await ground.session();
    try {
      const waiting = ground.act(session, { ...random.pick(DOING), timeoutMs: 60_000 });
      await ground.act(session, { kind: 'wait', timeMs: random.between(0, 150) });
      crash(ground, session);
      const { value: reply, late } = await before(MARKER_MS, waiting);
      if (reply.error?.code !== 'TAB_CRASHED' || late) return `answered ${reply.error?.code ?? 'ok'}${late ? ' after the marker' : ''}`;
      const reload = await ground.act(session, { kind: 'history', go: 'reload' });
      const click = await ground.act(session, { kind: 'click', selector: '#b' });
      return click.ok ? undefined : `after the reload (${reload.error?.code ?? 'ok'}) a click was answered ${click.error?.code ?? '?'}`;
    } finally {
      await ground.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};

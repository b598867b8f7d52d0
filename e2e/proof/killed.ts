import type { Campaign } from './campaign';
import { before } from './ground';

/** Several times the promised 1.5 s. */
const MARKER_MS = 6_000;

const DOING: readonly object[] = [
  { kind: 'evaluate', fn: '() => new Promise(() => {})' },
  { kind: 'type', selector: '#f', text: 'x'.repeat(2_000), slowly: true },
  { kind: 'wait', text: 'never there' },
  { kind: 'click', selector: '#b', holdMs: 5_000 },
];

/** F1, the part about noticing: Chrome is killed in the middle of an action; its caller and the session are told. */
export const killed: Campaign = {
  id: 'F1',
  about: 'Chrome killed during an action: answered BROWSER_DOWN in time, the session says so',
  full: 50,
  round: async (ground, random) => {
    const session = await ground.session();
    const action = random.pick(DOING);
    const pid = await ground.chromePid();
    const waiting = ground.act(session, { ...action, timeoutMs: 60_000 });
    await ground.act(session, { kind: 'wait', timeMs: random.between(0, 150) });
    process.kill(-pid, 'SIGKILL');
    const { value: reply, late } = await before(MARKER_MS, waiting);
    const { state } = ground.inside(session);
    if (reply.error?.code !== 'BROWSER_DOWN') return `${JSON.stringify(action).slice(0, 60)} was answered ${reply.error?.code ?? 'ok'}`;
    if (late) return 'answered after the marker';
    return state === 'browser-down' ? undefined : `the session is shown as ${state}`;
  },
};

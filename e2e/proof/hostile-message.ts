import type { Random } from './random';

interface HostileMessage {
  readonly event: string;
  readonly payload: unknown;
}

const act =
  (action: object) =>
  (session: string): HostileMessage => ({ event: 'act', payload: { session, tab: 'active', action } });
const on =
  (event: string, fields: object = {}) =>
  (session: string): HostileMessage => ({ event, payload: { session, tab: 't1', ...fields } });

/** Correct messages; most are changed before they are sent. */
const GOOD: readonly ((session: string) => HostileMessage)[] = [
  () => ({ event: 'hello', payload: { protocol: 1 } }),
  () => ({ event: 'wall.watch', payload: {} }),
  () => ({ event: 'wall.unwatch', payload: {} }),
  (session) => ({ event: 'session.join', payload: { session } }),
  (session) => ({ event: 'session.leave', payload: { session } }),
  on('stream.open', { tier: 'thumbnail', maxFps: 1 }),
  () => ({ event: 'stream.close', payload: { stream: 'v1' } }),
  on('input', {
    epoch: 1,
    geometry: 1,
    event: { type: 'keydown', key: 'a', code: 'KeyA', location: 0, repeat: false, modifiers: 0 },
  }),
  on('copy', { epoch: 1, cut: false }),
  act({ kind: 'none' }),
  act({ kind: 'snapshot', view: 'ai' }),
  act({ kind: 'click', selector: '#nothing', timeoutMs: 50 }),
  act({ kind: 'type', selector: '#f', text: 'text', timeoutMs: 100 }),
  act({ kind: 'evaluate', fn: '1', timeoutMs: 100 }),
  act({ kind: 'batch', actions: [{ kind: 'none' }, { kind: 'stop', answer: 'x' }] }),
  act({ kind: 'composite', label: 'a', actions: [{ kind: 'none' }], variables: { a: 'b' } }),
  act({ kind: 'wait', text: 'never', timeoutMs: 50 }),
  on('control', { do: 'take' }),
  on('control', { do: 'request', timeoutMs: 50 }),
  on('control', { do: 'release' }),
  on('snapshot.watch', { options: {} }),
  on('snapshot.unwatch'),
  on('rings.watch'),
  on('rings.unwatch'),
  (session) => ({ event: 'files.watch', payload: { session } }),
  on('element.box', { ref: 'e1' }),
  (session) => ({ event: 'timeline.list', payload: { session, limit: 5 } }),
];

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** Values that replace a correct one. */
const JUNK: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => '',
  () => [],
  () => ({}),
  () => -1,
  () => 1e308,
  () => true,
  () => '\u202E\u0000\ud800',
  (random) => `junk-${random.between(0, 1_000_000_000)}`,
  (random) => 'x'.repeat(random.between(1, 20_000)),
  (random) => deep(random.between(1, 200)),
  (random) => Object.fromEntries(Array.from({ length: random.between(1, 200) }, (_, index) => [`k${index}`, index])),
  () => JSON.parse('{"__proto__":{"ok":true},"constructor":{"prototype":{}}}'),
  (random) => Buffer.alloc(random.between(0, 4_000)),
];

/** One message of a hostile client: with a changed part, of an unknown event, or correct. */
export function hostileMessage(random: Random, session: string): HostileMessage {
  const good = random.pick(GOOD)(session);
  const way = random.between(0, 9);
  if (way === 0) return good;
  if (way === 1) return { event: `no.${random.between(0, 1_000_000_000)}`, payload: good.payload };
  if (way === 2) return { event: good.event, payload: random.pick(JUNK)(random) };
  return { event: good.event, payload: bent(random, bent(random, good.payload)) };
}

/** The value with one part changed at any depth, or with a field added or removed. */
function bent(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return random.pick(JUNK)(random);
  const keys = Object.keys(value);
  const chosen =
    keys.length === 0 || random.between(0, 9) === 0 ? `field${random.between(0, 1_000_000)}` : random.pick(keys);
  const inner: unknown = Reflect.get(value, chosen);
  const replaced = random.between(0, 2) === 0 ? random.pick(JUNK)(random) : bent(random, inner);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (String(index) === chosen ? replaced : item));
  const rest = Object.entries(value).filter(([key]) => key !== chosen);
  return Object.fromEntries(random.between(0, 9) === 0 ? rest : [...rest, [chosen, replaced]]);
}

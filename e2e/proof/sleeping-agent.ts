import { startAgent, type ScriptedAgent } from './agent-process';
import type { Campaign } from './campaign';
import type { CampaignFixture } from './campaign-fixture';
import { Ledger, type LedgerEntry } from './model/ledger';
import { serveEffects } from './model/page';
import { byHttp, type Player } from './model/players';
import type { Random } from './random';

/** Number of actions, each of which presses another button of the page. */
const ACTIONS = 50;
/** Number of actions that one participant may begin in a second. */
const AT_ONCE = 20;
const TYPED = 'p';

/** One session with an agent in another process, its owner, and the ledger of both. */
interface SleeperScene {
  readonly fixture: CampaignFixture;
  readonly owner: Player;
  readonly ledger: Ledger;
  readonly agent: ScriptedAgent;
}

/** A new name for each round, since an agent that was refused too often a moment ago is not heard. */
const nameOf = (index: number): string => `sleeper ${index}`;

/** Starts the agent with all its actions, with or without the epoch at which it held the lease. */
function begin(
  fixture: CampaignFixture,
  session: string,
  ledger: Ledger,
  random: Random,
  index: number,
): ScriptedAgent {
  const door = index % 2 === 0 ? 'http' : 'socket';
  const agent = nameOf(index);
  const fenced = random.pick([{}, { epoch: fixture.inside(session).control('t1').epoch }]);
  const lanes = random.pick([1, 4, AT_ONCE]);
  const entries = new Map<string, LedgerEntry>();
  const actions = Array.from({ length: ACTIONS }, (_, index) => {
    const entry = ledger.add({ by: `k_preset/${agent}`, tag: `b${index}`, times: 1, raw: false });
    const id = `${session} ${entry.note}`;
    entries.set(id, entry);
    return { kind: 'click', selector: `#b${index}`, note: entry.note, id, ...fenced };
  });
  ledger.history.push(`${door}, ${lanes} at once${'epoch' in fenced ? ', with its epoch' : ''}`);
  return startAgent({ origin: fixture.server.origin, session, agent, door, lanes, actions }, (id, reply) =>
    entries.get(id)?.replies.push(reply),
  );
}

/**
 * Stops the agent while actions are in its hands and in the server's, takes and uses the lease, and wakes the agent.
 * Returns the mismatches.
 */
async function sleepAndWake(
  { fixture, owner, ledger, agent }: SleeperScene,
  random: Random,
): Promise<string | undefined> {
  await agent.answered(random.between(1, 8));
  agent.signal('SIGSTOP');
  const refused = await owner.requestLease({ do: 'take' });
  if (refused) return `the person was told ${refused.code}: ${refused.message}`;
  const atGrant = ledger.effects;
  const typed = ledger.add({ by: owner.id, tag: TYPED, times: 1, raw: false });
  const reply = await owner.act({ kind: 'type', selector: '#f', text: TYPED, note: typed.note });
  if (reply) typed.replies.push(reply);
  agent.signal('SIGCONT');
  await agent.ended;
  const codes = [...agent.told.values()];
  const told = codes.filter((code) => code === 'CONTROL_HELD' || code === 'CONTROL_LOST').length;
  const problems = ledger.join(false);
  fixture.count('actions', codes.length);
  fixture.count('effects', ledger.effects);
  fixture.count('refusals', codes.filter((code) => code !== 'ok').length);
  if (problems.length > 0) return problems.join('; ');
  if (ledger.effects !== atGrant + 1) return `${ledger.effects - atGrant - 1} effects came after the grant`;
  return codes.length === ACTIONS && told > 0 && reply?.ok
    ? undefined
    : `${codes.length} of ${ACTIONS} were answered, ${[...new Set(codes)].join(', ')}, and the person ${reply?.error?.code ?? 'typed'}`;
}

async function night(fixture: CampaignFixture, random: Random, index: number): Promise<string | undefined> {
  const ledger = new Ledger();
  const ownerId = fixture.server.running.services.access.owner.id;
  let session = '';
  const site = await serveEffects((told) => {
    const lease = session === '' ? undefined : fixture.inside(session).leases.lease('t1');
    if (told.kind === 'press') ledger.press(told, lease);
    else ledger.effect(told, lease);
  });
  session = (await fixture.server.session(site.url(`${index}`), nameOf(index))).id;
  const inside = fixture.inside(session);
  inside.timeline.onEvent.on((event) => ledger.row(event));
  inside.leases.onEffect.on(
    (effect) => effect.type === 'changed' && effect.tab === 't1' && ledger.changed(effect.lease, effect.change),
  );
  const owner = byHttp(fixture, session, ownerId, { cookie: fixture.cookie, origin: fixture.server.origin });
  const agent = begin(fixture, session, ledger, random, index);
  try {
    const problem = await sleepAndWake({ fixture, owner, ledger, agent }, random);
    return problem && `${ledger.history.join('; ')}: ${problem}`;
  } finally {
    agent.signal('SIGKILL');
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    site.close();
  }
}

/**
 * F23: an agent that is stopped, loses the lease meanwhile and wakes with its actions has no further effect, and is
 * refused.
 */
export const sleepingAgent: Campaign = {
  id: 'F23',
  about: `an agent's process stopped (SIGSTOP) with ${ACTIONS} actions before it, its lease taken, woken (SIGCONT): none has an effect after the grant, each is answered, the timeline has each once`,
  full: 50,
  round: night,
};

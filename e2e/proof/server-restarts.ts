import { setTimeout } from 'node:timers/promises';
import type { Reply } from '@/lib/actions/reply';
import type { Campaign } from './campaign';
import { inDataDir } from './data-dir';
import { before, type CampaignFixture } from './campaign-fixture';
import { Ledger, type LedgerEntry } from './model/ledger';
import { BUTTONS, serveEffects } from './model/page';
import { chromesOf } from './processes';
import type { Random } from './random';
import { ServerProcess } from './server-process';

/** Several times the promised 3 s. */
const BACK_MS = 45_000;
const GONE_MS = 20_000;
/** Actions under way at once. */
const LANES = 3;
const KEYS = 'abcdefghijklmnopqrstuvwxyz';
const TIMES = 3;
const BY = 'k_preset';

interface Sent {
  readonly action: object;
  readonly entry: LedgerEntry;
  /** Undefined: the connection was lost before an answer came. */
  reply: Reply | undefined;
}

/** An agent that acts without pause, and records the replies. */
class LoggingAgent {
  readonly sent: Sent[] = [];
  readonly #lanes: Promise<void>[];
  #over = false;

  constructor(
    private readonly server: ServerProcess,
    private readonly session: string,
    private readonly ledger: Ledger,
  ) {
    this.#lanes = Array.from({ length: LANES }, () => this.#lane());
  }

  /** Resolves when so many actions have been answered. */
  async answered(count: number): Promise<void> {
    while (this.sent.filter(({ reply }) => reply).length < count && !this.#over) await setTimeout(5);
  }

  /** Resolves when no action is under way any more. */
  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#lanes);
  }

  async #lane(): Promise<void> {
    while (!this.#over && this.sent.length < BUTTONS + KEYS.length) {
      const one = this.#next(this.sent.length);
      this.sent.push(one);
      one.reply = await this.server.act(this.session, one.action).catch(() => undefined);
      if (one.reply) one.entry.replies.push(one.reply);
      else this.#over = true;
    }
  }

  /** In turn a button that nobody has pressed and a letter that nobody has typed. */
  #next(index: number): Sent {
    const letter = index % 3 === 0 ? KEYS[index / 3] : undefined;
    const tag = letter ?? `b${index - Math.ceil(index / 3)}`;
    const entry = this.ledger.add({ by: BY, tag, times: letter === undefined ? 1 : TIMES, raw: false });
    const what =
      letter === undefined
        ? { kind: 'click', selector: `#${tag}` }
        : { kind: 'type', selector: '#f', text: letter.repeat(TIMES), mode: 'append', slowly: true };
    return { action: { ...what, note: entry.note, id: `diary ${entry.note}` }, entry, reply: undefined };
  }
}

interface Scene {
  readonly fixture: CampaignFixture;
  readonly dataDir: string;
  readonly ledger: Ledger;
  /** Every server of the round, to end those that are left. */
  readonly servers: ServerProcess[];
}

/** Sends unanswered actions again: each is known, reported as unknown, or was never begun. */
async function askAgain(
  { fixture, ledger }: Scene,
  server: ServerProcess,
  session: string,
  sent: readonly Sent[],
): Promise<void> {
  for (const { action, entry, reply } of sent) {
    if (reply) continue;
    const again = await server.act(session, action);
    entry.replies.push(again);
    fixture.count(
      again.error?.code === 'OUTCOME_UNKNOWN' ? 'in flight, named unknown' : 'in flight, known or never begun',
    );
  }
  for (const row of await server.timeline(session)) ledger.row(row);
}

async function killAndReturn(scene: Scene, url: string, random: Random): Promise<string | undefined> {
  const { fixture, dataDir, ledger, servers } = scene;
  const first = await ServerProcess.start(dataDir);
  servers.push(first);
  const { id } = await first.open(url);
  const mark = random.between(1, 1_000_000);
  await first.act(id, { kind: 'evaluate', fn: `() => { window.mark = ${mark}; }` });
  const [chrome, epoch] = [chromesOf(dataDir), (await first.session(id)).tabs[0]?.control.epoch ?? 0];
  const diarist = new LoggingAgent(first, id, ledger);
  await diarist.answered(random.between(0, 6));
  await setTimeout(random.between(0, 80));
  await first.kill();
  await diarist.stop();
  const { value: second, late, ms } = await before(BACK_MS, ServerProcess.start(dataDir));
  fixture.took('from the start of the next server to its Chrome attached again (promised 3 s)', ms);
  servers.push(second);
  const effects = ledger.effects;
  const { state, tabs } = await second.session(id);
  const kept = (await second.act(id, { kind: 'evaluate', fn: 'window.mark' })).value;
  if (late || state !== 'live') return `the session is ${state}${late ? ' after the marker' : ''}`;
  if (kept !== mark || (tabs[0]?.control.epoch ?? 0) <= epoch)
    return `the page has ${JSON.stringify(kept)}, not ${mark}, at epoch ${tabs[0]?.control.epoch ?? 0} after ${epoch}`;
  if (ledger.effects !== effects) return `${ledger.effects - effects} effects came by themselves after the restart`;
  await askAgain(scene, second, id, diarist.sent);
  fixture.count('actions', diarist.sent.length);
  fixture.count('effects', ledger.effects);
  const now = chromesOf(dataDir);
  if (now.length !== 1 || now[0] !== chrome[0]) return `Chrome ${chrome.join(', ')} became ${now.join(', ')}`;
  await second.endBrowsers();
  const left = await before(GONE_MS, gone(dataDir));
  return ledger.join(false).join('; ') || (left.late ? `Chromes were left: ${now.join(', ')}` : undefined);
}

async function gone(dataDir: string): Promise<void> {
  for (let looks = 0; looks < 2 * (GONE_MS / 20) && chromesOf(dataDir).length > 0; looks += 1) await setTimeout(20);
}

/**
 * F11: the server is killed while Chrome lives and actions are under way; the next server finds Chrome, page and
 * timeline in the state that they had.
 */
export const serverRestarts: Campaign = {
  id: 'F11',
  about:
    'server killed during actions: the next one finds Chrome and page state, epoch higher, actions in flight named unknown and not replayed, page and timeline agree with what the agent was told, no Chrome left over',
  full: 30,
  bare: true,
  round: (fixture, random, index) =>
    inDataDir(async (dataDir, servers) => {
      const ledger = new Ledger();
      const site = await serveEffects((report) => ledger.reported(report));
      try {
        return await killAndReturn({ fixture, dataDir, ledger, servers }, site.url(`${index}`), random);
      } finally {
        site.close();
      }
    }),
};

import { estimateTokens } from '@/lib/snapshot/tokens';
import type { SnapshotOptions } from '@/lib/snapshot/options';
import type { SnapshotView } from '@/lib/protocol/views';
import { openAgentBrowser, type AgentBrowser } from './agent-browser';
import { call, type BenchFixture, type OurTab } from './bench-fixture';
import { plantsPage } from './lib/pages';
import { figure, ratioAtMost, single, type Figure, type BenchLine } from './line';
import { interleave, must, partOf, timed, Contender } from './measure';
import type { PlainTab } from './plain-script';
import { sizeLines } from './snapshot-sizes';
import { openPlaywright, type PlaywrightPage } from './playwright-page';

interface Size {
  /** Interactive elements. */
  readonly elements: number;
  readonly firsts: number;
  readonly agains: number;
  /** Share of the group's remaining time. */
  readonly share: number;
}

const SIZES: readonly Size[] = [
  { elements: 100, firsts: 10, agains: 20, share: 0.35 },
  { elements: 1_000, firsts: 6, agains: 10, share: 1 },
];

/** Time and size of a snapshot beside one raw `Accessibility.getFullAXTree`, and beside Playwright’s. */
export async function snapshotLines(fixture: BenchFixture, endsAt: number): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const size of SIZES) {
    await fixture.sweep();
    lines.push(...(await linesOf(fixture, size, partOf(endsAt, size.share))));
  }
  return lines;
}

async function linesOf(fixture: BenchFixture, size: Size, endsAt: number): Promise<BenchLine[]> {
  const url = await fixture.serve(plantsPage(size.elements));
  const peer = await openPlaywright(fixture, url);
  const agent = await openAgentBrowser(fixture, url);
  const subject = new Subject(fixture, await fixture.tab(url), await fixture.plain.tab(url), url, { peer, agent });
  const first = await subject.first(size.firsts, partOf(endsAt, 0.45));
  const again = await subject.again(size, endsAt);
  return [...first, ...again, ...(await subject.sizes())].map((line) => ({
    ...line,
    what: `${line.what}, ${size.elements} elements`,
  }));
}

/** Peers, each with the page in a Chrome of its own. */
interface Peers {
  readonly peer: PlaywrightPage;
  readonly agent: AgentBrowser | undefined;
}

/** One page, open in ours and in all peers. */
class Subject {
  #changes = 0;
  /** The last revision that was read as a whole. */
  #seen = 0;

  constructor(
    private readonly fixture: BenchFixture,
    private readonly ours: OurTab,
    private readonly plain: PlainTab,
    private readonly url: string,
    private readonly peers: Peers,
  ) {}

  /** Reads a fresh document each time. */
  async first(times: number, endsAt: number): Promise<BenchLine[]> {
    const raw = new Contender(async () => {
      await this.plain.goto(this.url);
      return timed(() => this.#rawTree());
    });
    const full = new Contender(async () => {
      const { error } = await this.fixture.server.act(this.ours.session, { kind: 'navigate', url: this.url });
      must(error === undefined, `The page did not load: ${error?.message ?? ''}`);
      await this.ours.observer.twoFrames();
      return timed(() => this.#take({}));
    });
    await interleave([raw, full], { warmUp: 1, times, endsAt });
    const sides = { base: figure(raw.samples), ours: figure(full.samples) };
    return [{ what: 'snapshot, first of a document', unit: 'ms', ...sides, reach: ratioAtMost(1.1, sides) }];
  }

  /** Reads after one change to the page each time, as an agent does. */
  async again({ agains: times, elements }: Size, endsAt: number): Promise<BenchLine[]> {
    const way = (change: (script: string) => Promise<unknown>, look: () => Promise<unknown>): Contender =>
      new Contender(async () => {
        await change(this.#change());
        return timed(look);
      });
    const change = (script: string): Promise<unknown> => this.ours.observer.value(script);
    const raw = way(
      (script) => this.plain.value(script),
      () => this.#rawTree(),
    );
    const full = way(change, () => this.#look({}));
    const delta = way(change, () => this.#changed());
    const interactive = way(change, () => this.#take({ interactive: true }));
    const http = way(change, () => this.#fetch());
    const { peer, agent } = this.peers;
    const other = way(
      (script) => peer.evaluate(script),
      () => peer.snapshot(),
    );
    const command = agent && {
      snapshot: way(
        (script) => agent.evaluate(script),
        () => agent.snapshot(),
      ),
      nothing: new Contender(() => timed(() => agent.nothing())),
    };
    await interleave(
      [raw, full, delta, interactive, http, other, ...(command ? [command.snapshot, command.nothing] : [])],
      { warmUp: 1, times, endsAt },
    );
    const base = figure(raw.samples);
    const ours = figure(full.samples);
    return [
      { what: 'snapshot after one change', unit: 'ms', base, ours },
      { what: 'snapshot after one change, as a delta', unit: 'ms', base, ours: figure(delta.samples) },
      { what: 'snapshot after one change, interactive only', unit: 'ms', base, ours: figure(interactive.samples) },
      { what: 'snapshot after one change, by HTTP with refs', unit: 'ms', base, ours: figure(http.samples) },
      againstPeer('Playwright’s for AI', figure(other.samples), ours, elements === REACH_AT ? 0.1 : undefined),
      ...(command
        ? [
            againstPeer(
              `agent-browser’s, by its command (which takes ${figure(command.nothing.samples).median.toFixed(1)} ms to read a title)`,
              figure(command.snapshot.samples),
              ours,
              elements === REACH_AT ? 0.05 : undefined,
            ),
          ]
        : []),
    ];
  }

  /** Texts of the same moment. Raw: Chrome's unprocessed answer, which no client would pass to a model. */
  async sizes(): Promise<BenchLine[]> {
    const { nodes } = await this.plain.send('Accessibility.getFullAXTree');
    const json = JSON.stringify(nodes);
    const full = await this.#take({});
    const raw: BenchLine = {
      what: `size, full (raw: ${nodes.length} nodes, ${json.length} characters)`,
      unit: 'tokens',
      base: single(estimateTokens(json)),
      ours: single(full.stats.tokens),
    };
    const {
      ours,
      peers: { peer, agent },
    } = this;
    const views = await sizeLines({
      take: (options) => this.#take(options),
      change: async () => void (await ours.observer.value(this.#change())),
      theirs: () => peer.snapshot(),
      interactiveOf: agent && (() => agent.snapshot('-i')),
      actionable: async () =>
        Number(await ours.observer.value("document.querySelectorAll('a[href], button, input').length")),
    });
    return [raw, ...views];
  }

  #change(): string {
    this.#changes += 1;
    return `document.querySelector('button').textContent = 'Add, change ${this.#changes}'`;
  }

  async #rawTree(): Promise<void> {
    const { nodes } = await this.plain.send('Accessibility.getFullAXTree');
    must(nodes.length > 100, 'The raw tree is empty.');
  }

  async #fetch(): Promise<void> {
    const { status } = await this.fixture.server.api(
      'GET',
      `/api/v1/sessions/${this.ours.session}/tabs/active/snapshot?refs=1`,
    );
    must(status === 200, `The snapshot was answered with ${status}.`);
  }

  /** Reads the whole page. */
  async #look(options: SnapshotOptions): Promise<SnapshotView> {
    const view = await this.#take(options);
    this.#seen = view.revision;
    return view;
  }

  async #changed(): Promise<void> {
    const { delta } = await this.#look({ since: this.#seen });
    must(delta !== undefined && delta.whole === undefined, `There is no delta: ${delta?.whole ?? ''}`);
  }

  async #take(options: SnapshotOptions): Promise<SnapshotView> {
    const view = await call((budget) => this.ours.tab.snapshots.take(budget, options));
    must(
      view.source.kind === 'mixed' && view.truncated === undefined,
      `The snapshot is not whole: ${view.source.reason}`,
    );
    return view;
  }
}

/** Number of elements to which the target applies. */
const REACH_AT = 1_000;

function againstPeer(whose: string, base: Figure, ours: Figure, limit: number | undefined): BenchLine {
  const line = { what: `snapshot after one change, against ${whose}`, unit: 'ms', base, ours };
  return limit === undefined ? line : { ...line, reach: ratioAtMost(limit, line) };
}

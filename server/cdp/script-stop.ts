import type { DebuggerInterrupt } from './debugger-interrupt';
import type { CdpConnection } from './connection';
import type { EventParams } from './shapes/read';
import type { CdpSession } from './session';

/** Most scripts that are stopped in one page or frame; any beyond keep running, which is reported. */
const MOST = { scripts: 1_000, breakpoints: 20_000 } as const;
/**
 * Number of calls by the page's own scripts after which a function loses its breakpoints, since each call pauses the
 * page.
 */
const MOST_CALLS = 50;

/** The state of the scripts: `found` of them have functions that may still be called; `loose`: some of these go on. */
export interface StopState {
  readonly done: boolean;
  readonly found: number;
  readonly loose: boolean;
}

export const NOTHING_STOPPED: StopState = { done: true, found: 0, loose: false };

/**
 * Stops scripts by their names without a reload (CO3): sets a breakpoint at every possible place of theirs and ends
 * each script that pauses there. Intervals, async functions, frame loops and listeners end each time they would run;
 * the page's own scripts go on. Uses a debugger session of its own, so that Chrome removes every breakpoint when that
 * session ends, also when this server dies. Source: Debugger.getPossibleBreakpoints, resume {terminateOnResume}.
 */
export class ScriptStop {
  #names: ReadonlySet<string> = new Set();
  #present: Stopping | undefined;

  constructor(
    private readonly lane: Pick<CdpConnection, 'attach' | 'detach'>,
    private readonly targetId: string,
    private readonly interrupt: DebuggerInterrupt,
    private readonly changed: () => void,
  ) {}

  get state(): StopState {
    return this.#present?.state ?? NOTHING_STOPPED;
  }

  /**
   * Stops the scripts of these names from now on, and no others; also those that return with a page from the history.
   */
  stop(names: ReadonlySet<string>): void {
    if (names.size === this.#names.size && [...names].every((name) => this.#names.has(name))) return;
    const before = this.#present;
    this.#names = names;
    this.#present =
      names.size === 0 ? undefined : new Stopping(this.lane, this.targetId, names, this.interrupt, this.changed);
    if (!this.#present) before?.end();
    // Scripts that were stopped before stay stopped until they are stopped anew.
    else void this.#present.start().finally(() => before?.end());
  }

  /** The target shows another document: its scripts and breakpoints are gone. */
  moved(): void {
    this.#present?.moved();
  }

  end(): void {
    this.#present?.end();
    this.#present = undefined;
  }
}

interface Script {
  /** The document that it belongs to: script ids begin anew in another process. */
  readonly document: number;
  readonly breakpoints: Set<string>;
  calls: number;
}

/** The stopping of one set of names in one target. */
class Stopping {
  readonly #scripts = new Map<string, Script>();
  readonly #work = new Set<Promise<void>>();
  #session: CdpSession | undefined;
  #document = 0;
  #breakpoints = 0;
  #found = 0;
  #loose = false;
  #done = false;
  #ended = false;
  /** The last interrupt that has had its pause. */
  #interrupted = 0;

  constructor(
    private readonly lane: Pick<CdpConnection, 'attach' | 'detach'>,
    private readonly targetId: string,
    private readonly names: ReadonlySet<string>,
    private readonly interrupt: DebuggerInterrupt,
    private readonly changed: () => void,
  ) {}

  get state(): StopState {
    return { done: this.#done, found: this.#found, loose: this.#loose };
  }

  /** Settles when the scripts that exist are stopped; waits for a page that hangs. Never rejects. */
  async start(): Promise<void> {
    const session = await this.lane.attach(this.targetId).catch(() => undefined);
    if (!session) return;
    this.#session = session;
    if (this.#ended) return this.end();
    session.on('Debugger.scriptParsed', ({ scriptId, url }) => this.#met(scriptId, url));
    session.on('Debugger.paused', (event) => this.#paused(session, event));
    const enabled = session.sendMayFail('Debugger.enable');
    // A `debugger;` of the page then pauses nothing (docs/chrome-facts.md, Debugger).
    void session.sendMayFail('Debugger.setBlackboxPatterns', {
      patterns: [`^(?!(?:${[...this.names].join('|')})$)`],
      skipAnonymous: true,
    });
    await enabled;
    while (this.#work.size > 0) await Promise.all(this.#work);
    this.#done = true;
    this.changed();
  }

  moved(): void {
    this.#document += 1;
    this.#breakpoints = 0;
    this.#found = 0;
    this.#loose = false;
  }

  /** Chrome removes the breakpoints with the session and resumes a script that is paused at one. */
  end(): void {
    this.#ended = true;
    if (this.#session) void this.lane.detach(this.#session);
  }

  #met(scriptId: string, url: string): void {
    if (!this.names.has(url)) return;
    if (this.#scripts.size >= MOST.scripts) this.#forget();
    const script: Script = { document: this.#document, breakpoints: new Set(), calls: 0 };
    // A script that is reported again came back with its page, without its breakpoints (docs/chrome-facts.md,
    // Debugger).
    this.#scripts.set(scriptId, script);
    const work = this.#set(scriptId, script).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  /** Chrome gives breakpoint places only in functions that are still referenced; a script that has ended has none. */
  async #set(scriptId: string, script: Script): Promise<void> {
    const session = this.#session;
    const places = await session?.sendMayFail('Debugger.getPossibleBreakpoints', {
      start: { scriptId, lineNumber: 0, columnNumber: 0 },
    });
    if (!session || !places || places.locations.length === 0) return;
    this.#found += 1;
    const room = places.locations.slice(0, MOST.breakpoints - this.#breakpoints);
    if (room.length < places.locations.length) this.#letGo();
    this.#breakpoints += room.length;
    await Promise.all(
      room.map(async ({ lineNumber, columnNumber = 0 }) => {
        const set = await session.sendMayFail('Debugger.setBreakpoint', {
          location: { scriptId, lineNumber, columnNumber },
        });
        if (set) script.breakpoints.add(set.breakpointId);
      }),
    );
    if (this.#done) this.changed();
  }

  /**
   * Ends the script when only scripts of these names are on the stack. When a function of the page itself is on the
   * stack it resumes instead, as it does for a pause that is not ours. The first pause during an interrupt is the
   * one that it asked for, and stays until the interrupt ends it. The page may stand at a breakpoint again before the
   * answer to that has arrived: such a pause is handled as any other, since no one else would end it.
   */
  #paused(session: CdpSession, { callFrames, hitBreakpoints = [] }: EventParams<'Debugger.paused'>): void {
    if (this.interrupt.interrupting && this.#interrupted !== this.interrupt.begun) {
      this.#interrupted = this.interrupt.begun;
      return;
    }
    const [script, ...below] = callFrames.map(({ location }) => this.#scripts.get(location.scriptId));
    const hit = script && hitBreakpoints.some((id) => script.breakpoints.has(id)) ? script : undefined;
    const ours = hit !== undefined && below.every((one) => one?.document === hit.document);
    if (hit && !ours) this.#called(session, hit);
    void session.sendMayFail('Debugger.resume', ours ? { terminateOnResume: true } : {});
  }

  #called(session: CdpSession, script: Script): void {
    script.calls += 1;
    if (script.calls === 1) this.#letGo();
    if (script.calls < MOST_CALLS) return;
    for (const breakpointId of script.breakpoints)
      void session.sendMayFail('Debugger.removeBreakpoint', { breakpointId });
    script.breakpoints.clear();
  }

  /** Drops the script that was reported longest ago; if it still runs, it goes on. */
  #forget(): void {
    const [oldest] = this.#scripts;
    if (!oldest) return;
    const [id, { document }] = oldest;
    this.#scripts.delete(id);
    if (document === this.#document) this.#letGo();
  }

  #letGo(): void {
    if (this.#loose) return;
    this.#loose = true;
    if (this.#done) this.changed();
  }
}

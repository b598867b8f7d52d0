import { randomBytes } from 'node:crypto';
import { WheelhouseError } from '@/lib/errors/error';

/** An agent whose scripts are distinguished from those of the page. */
export interface ScriptOwner {
  readonly id: string;
  readonly name: string;
}

interface Named {
  readonly owner: ScriptOwner;
  readonly name: string;
  /** Whether it ran a script in the document that the tab shows. */
  inDocument: boolean;
}

/**
 * The agent's part of a script name: 22 unguessable characters, derived from the key beside the database, so that the
 * next run of the server recognises them.
 */
export type ScriptToken = (owner: string) => string;

/** For tabs that no later run of the server asks about. */
export const tokenOfThisRun: ScriptToken = () => randomBytes(16).toString('base64url');

/** The start of all script names; the token follows. */
const PREFIX = 'evaluate-';
const NAME = /evaluate-[\w-]{22}/g;
/**
 * Most agents per tab whose scripts are named: an agent that keeps changing its name must not make the search for its
 * scripts longer and longer.
 */
const MOST_AGENTS = 256;
/** How a stack trace shows a script without a name. */
const ANONYMOUS = '<anonymous>';

/**
 * The names (`sourceURL`) of each agent's scripts in one tab, by which they can be stopped without stopping scripts of
 * the page (CO3). They are shown to no client: a page sees a name only in the stack of a function that the agent's
 * script calls.
 */
export class ScriptNames {
  readonly #named = new Map<string, Named>();

  constructor(private readonly token: ScriptToken) {}

  /** The name for a script that this agent runs now. Throws QUOTA. */
  use(owner: ScriptOwner): string {
    if (!this.#named.has(owner.id) && this.#named.size >= MOST_AGENTS) {
      throw new WheelhouseError('QUOTA', `${MOST_AGENTS} agents have run scripts in this tab.`, {
        hint: 'Keep one X-Agent name for one agent, or go on in another tab.',
        details: { used: this.#named.size, cap: MOST_AGENTS },
      });
    }
    const named = this.#know(owner);
    named.inDocument = true;
    return named.name;
  }

  /** Registers an agent that may have run scripts before this server began. */
  expect(owner: ScriptOwner): void {
    this.#know(owner);
  }

  #know(owner: ScriptOwner): Named {
    const known = this.#named.get(owner.id) ?? { owner, name: `${PREFIX}${this.token(owner.id)}`, inDocument: false };
    this.#named.set(owner.id, known);
    return known;
  }

  /** The agents that have run scripts in the tab, except `holder`. */
  others(holder: string | undefined): ScriptOwner[] {
    return [...this.#named.values()].flatMap(({ owner }) => (owner.id === holder ? [] : [owner]));
  }

  /** The names of the scripts of these agents. */
  of(owners: readonly ScriptOwner[]): Set<string> {
    return new Set(owners.flatMap(({ id }) => this.#named.get(id)?.name ?? []));
  }

  /** The tab shows another document. */
  moved(): void {
    for (const named of this.#named.values()) named.inDocument = false;
  }

  /** Whether this agent has run a script in the document that is shown. */
  ranHere({ id }: ScriptOwner): boolean {
    return this.#named.get(id)?.inDocument === true;
  }
}

/** Removes script names from a text of Chrome (a stack, an error) before callers and watchers read it. */
export function withoutScriptNames(text: string): string {
  return text.includes(PREFIX) ? text.replace(NAME, ANONYMOUS) : text;
}

/** Whether an address from Chrome is a script name of ours. */
export function isScriptName(url: string): boolean {
  return url.startsWith(PREFIX);
}

const PARSED = /^\{"method":"Debugger\.scriptParsed","params":\{"scriptId":"\d+","url":"evaluate-[\w-]{22}","/;
/** The method, the id and the name are within the first so many bytes of the message. */
const HEAD_BYTES = 160;
/** Chrome's event about a script of ours has some 600 bytes; a page that used its name could make it longer. */
const MOST_BYTES = 64 * 1024;

/** Whether a `Debugger.scriptParsed` message is about one of our named scripts; all others are dropped unparsed. */
export function mentionsNamedScript(data: Buffer): boolean {
  return data.byteLength < MOST_BYTES && PARSED.test(data.toString('latin1', 0, HEAD_BYTES));
}

import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';

/** An armed answer and its agent; undefined for a person's answer. */
interface AgentOwned {
  readonly agent?: ScriptOwner | undefined;
}

/** Keeps the last armed answer of each agent that lost the lease until it holds the lease again (CO3). */
export class SuspendedAnswers<T extends AgentOwned> {
  readonly #kept = new Map<string, T>();

  put(armed: T | undefined): void {
    if (armed?.agent) this.#kept.set(armed.agent.id, armed);
  }

  /** Removes and returns the agent's answer. */
  take(agent: string): T | undefined {
    const kept = this.#kept.get(agent);
    this.#kept.delete(agent);
    return kept;
  }

  /** The agents with a kept answer. */
  owners(): ScriptOwner[] {
    return [...this.#kept.values()].flatMap(({ agent }) => agent ?? []);
  }
}

import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';

/** What was armed, and by which agent; none of a person. */
interface AgentOwned {
  readonly agent?: ScriptOwner | undefined;
}

/** Armed answers of agents that have lost the wheel: kept until they have it again (CO3). The last one of each. */
export class SuspendedAnswers<T extends AgentOwned> {
  readonly #kept = new Map<string, T>();

  put(armed: T | undefined): void {
    if (armed?.agent) this.#kept.set(armed.agent.id, armed);
  }

  /** What this one gets back. */
  take(agent: string): T | undefined {
    const kept = this.#kept.get(agent);
    this.#kept.delete(agent);
    return kept;
  }

  /** Whose there are. */
  owners(): ScriptOwner[] {
    return [...this.#kept.values()].flatMap(({ agent }) => agent ?? []);
  }
}

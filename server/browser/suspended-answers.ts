import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';

/** An armed answer and its agent; undefined for a person's answer. */
interface AgentOwned {
  readonly agent?: ScriptOwner | undefined;
}

/** Keeps the last armed answer of each agent that lost the lease until it holds the lease again (CO3). */
export class SuspendedAnswers<T extends AgentOwned> {
  readonly #byAgent = new Map<string, T>();

  put(armed: T | undefined): void {
    if (armed?.agent) this.#byAgent.set(armed.agent.id, armed);
  }

  /** Removes and returns the agent's answer. */
  take(agent: string): T | undefined {
    const answer = this.#byAgent.get(agent);
    this.#byAgent.delete(agent);
    return answer;
  }

  /** The agents with a suspended answer. */
  owners(): ScriptOwner[] {
    return [...this.#byAgent.values()].flatMap(({ agent }) => agent ?? []);
  }
}

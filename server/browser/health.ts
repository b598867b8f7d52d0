import type { HealthView } from '@/lib/protocol/views';

export type HealthState = HealthView['state'];

/** Facts that together make a tab's health (SE5); the gravest one is shown. */
export interface HealthFacts {
  closed: boolean;
  crashed: boolean;
  dialog: string | undefined;
  hung: string | undefined;
  loading: boolean;
}

/** Which of the facts counts, and why. Order matters: a closed tab is not loading. */
function judgeHealth(facts: HealthFacts): { state: HealthState; reason: string } {
  if (facts.closed) return { state: 'closed', reason: 'The tab is closed.' };
  if (facts.crashed) return { state: 'crashed', reason: 'The page crashed.' };
  if (facts.dialog !== undefined) return { state: 'dialog', reason: facts.dialog };
  if (facts.hung !== undefined) return { state: 'hung', reason: facts.hung };
  if (facts.loading) return { state: 'loading', reason: 'The page is loading.' };
  return { state: 'ready', reason: '' };
}

/** Keeps the facts of one tab and since when the present state holds. */
export class Health {
  readonly #facts: HealthFacts = { closed: false, crashed: false, dialog: undefined, hung: undefined, loading: false };
  #view: HealthView = { state: 'ready', reason: '', since: new Date().toISOString() };

  get view(): HealthView {
    return this.#view;
  }

  get state(): HealthState {
    return this.#view.state;
  }

  /** Changes facts; true when what is shown changed. */
  set(facts: Partial<HealthFacts>): boolean {
    Object.assign(this.#facts, facts);
    const judged = judgeHealth(this.#facts);
    if (judged.state === this.#view.state && judged.reason === this.#view.reason) return false;
    const since = judged.state === this.#view.state ? this.#view.since : new Date().toISOString();
    this.#view = { ...judged, since };
    return true;
  }
}

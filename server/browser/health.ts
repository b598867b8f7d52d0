import type { HealthView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';

export type HealthState = HealthView['state'];

/** Facts that together make a tab's health (SE5); the gravest one is shown. */
export interface HealthFacts {
  closed: boolean;
  crashed: boolean;
  dialog: Message | undefined;
  hung: Message | undefined;
  loading: boolean;
  /**
   * Another page was asked for and has not been answered: until then this one is not asked, since Chrome would keep the
   * question back.
   */
  awaiting: boolean;
  /** A frame that does not answer while the page itself does: the tab can be used, so it is only told. */
  frame: Message | undefined;
}

/** Which of the facts counts, and why. Order matters: a closed tab is not loading. */
function judgeHealth(facts: HealthFacts): { state: HealthState; said?: Message | undefined } {
  if (facts.closed) return { state: 'closed', said: { code: 'tabClosed' } };
  if (facts.crashed) return { state: 'crashed', said: { code: 'pageCrashed' } };
  if (facts.dialog !== undefined) return { state: 'dialog', said: facts.dialog };
  if (facts.awaiting) return { state: 'loading', said: { code: 'pageLoading' } };
  if (facts.hung !== undefined) return { state: 'hung', said: facts.hung };
  if (facts.loading) return { state: 'loading', said: facts.frame ?? { code: 'pageLoading' } };
  return { state: 'ready', said: facts.frame };
}

/** Keeps the facts of one tab and since when the present state holds. */
export class Health {
  readonly #facts: HealthFacts = {
    closed: false,
    crashed: false,
    dialog: undefined,
    hung: undefined,
    loading: false,
    awaiting: false,
    frame: undefined,
  };
  #view: HealthView = { state: 'ready', reason: '', since: new Date().toISOString() };

  get view(): HealthView {
    return this.#view;
  }

  get state(): HealthState {
    return this.#view.state;
  }

  /** Is there a known reason why the page does not answer? */
  get excused(): boolean {
    return this.#view.state === 'dialog' || this.#view.state === 'crashed' || this.#facts.awaiting;
  }

  /** Changes facts; true when what is shown changed. */
  set(facts: Partial<HealthFacts>): boolean {
    Object.assign(this.#facts, facts);
    const { state, said } = judgeHealth(this.#facts);
    const { text, ...rest } = said ? formatMessage(said) : { text: '' };
    if (state === this.#view.state && text === this.#view.reason) return false;
    const since = state === this.#view.state ? this.#view.since : new Date().toISOString();
    this.#view = { state, reason: text, since, ...rest };
    return true;
  }
}

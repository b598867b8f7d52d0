import type { HealthView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';

export type HealthState = HealthView['state'];

/** The facts that determine a tab's health (SE5); the worst one is shown. */
export interface HealthFacts {
  closed: boolean;
  crashed: boolean;
  dialog: Message | undefined;
  hung: Message | undefined;
  loading: boolean;
  /**
   * A requested page has not been answered. Until then the present page gets no heartbeat, because Chrome delays its
   * answer.
   */
  awaiting: boolean;
  /** A frame hangs while the page answers: the tab stays usable and shows the message. */
  frame: Message | undefined;
}

/** Picks the fact to show. The order matters: a closed tab is not loading. */
function judgeHealth(facts: HealthFacts): { state: HealthState; said?: Message | undefined } {
  if (facts.closed) return { state: 'closed', said: { code: 'tabClosed' } };
  if (facts.crashed) return { state: 'crashed', said: { code: 'pageCrashed' } };
  if (facts.dialog !== undefined) return { state: 'dialog', said: facts.dialog };
  if (facts.awaiting) return { state: 'loading', said: { code: 'pageLoading' } };
  if (facts.hung !== undefined) return { state: 'hung', said: facts.hung };
  if (facts.loading) return { state: 'loading', said: facts.frame ?? { code: 'pageLoading' } };
  return { state: 'ready', said: facts.frame };
}

/** The facts of one tab and when the present state began. */
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

  /** Whether a known reason explains that the page does not answer. */
  get excused(): boolean {
    return this.#view.state === 'dialog' || this.#view.state === 'crashed' || this.#facts.awaiting;
  }

  /** Updates facts; true when the shown state changed. */
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

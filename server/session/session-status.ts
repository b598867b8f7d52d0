import { WheelhouseError } from '@/lib/errors/error';
import type { SessionView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage, type FormattedMessage } from '@/lib/messages/format';

/** Whether a session accepts actions, why not, and what a recovery restored (BR5). */
export class SessionStatus {
  #state: SessionView['state'] = 'live';
  #why: FormattedMessage | undefined;
  #restored: SessionView['restored'];

  get state(): SessionView['state'] {
    return this.#state;
  }

  get why(): FormattedMessage | undefined {
    return this.#why;
  }

  /** The BROWSER_DOWN error for actions; undefined while the session is live. */
  error(): WheelhouseError | undefined {
    return this.#state === 'live'
      ? undefined
      : new WheelhouseError('BROWSER_DOWN', this.#why?.said ?? { code: 'chromeGone' });
  }

  /** Its Chrome is gone; called again when the progress of its recovery changes. */
  down(said: Message): FormattedMessage {
    this.#why = formatMessage(said);
    this.#state = 'browser-down';
    return this.#why;
  }

  /** The session is live again: its tabs are open in a new Chrome. */
  back(restored: NonNullable<SessionView['restored']>): void {
    [this.#state, this.#why, this.#restored] = ['live', undefined, restored];
  }

  end(said: Message): void {
    [this.#state, this.#why] = ['ended', formatMessage(said)];
  }

  view(): Pick<SessionView, 'state' | 'stateReason' | 'stateSaid' | 'restored'> {
    const why = this.#why;
    return {
      state: this.#state,
      stateReason: why?.text ?? '',
      ...(why && { stateSaid: why.said }),
      ...(this.#restored && { restored: this.#restored }),
    };
  }
}

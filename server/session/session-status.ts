import { WheelhouseError } from '@/lib/errors/error';
import type { SessionView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage, type FormattedMessage } from '@/lib/messages/format';
import type { Fleet } from '@/server/fleet/fleet';

/** Whether a session accepts actions, why not, and what a recovery restored, as the fleet says (BR5). */
export class SessionStatus {
  /** What its latest recovery restored. */
  restored: SessionView['restored'];
  #ended: Message | undefined;

  constructor(
    private readonly fleet: Fleet,
    private readonly session: string,
  ) {}

  get state(): SessionView['state'] {
    if (this.#ended) return 'ended';
    return this.#lost ? 'browser-down' : 'live';
  }

  /** Why it is not live. */
  get why(): FormattedMessage | undefined {
    const said = this.#ended ?? this.#lost;
    return said && formatMessage(said);
  }

  /** The BROWSER_DOWN error for actions; undefined while the session is live. */
  error(): WheelhouseError | undefined {
    const { why } = this;
    return why && new WheelhouseError('BROWSER_DOWN', why.said);
  }

  end(said: Message): void {
    this.#ended = said;
    this.fleet.apply({ type: 'session-ended', session: this.session });
  }

  view(): Pick<SessionView, 'state' | 'stateReason' | 'stateSaid' | 'restored'> {
    const { state, why, restored } = this;
    return {
      state,
      stateReason: why?.text ?? '',
      ...(why && { stateSaid: why.said }),
      ...(restored && { restored }),
    };
  }

  get #lost(): Message | undefined {
    const place = this.fleet.placeOf(this.session);
    return place && place.at !== 'live' ? place.why : undefined;
  }
}

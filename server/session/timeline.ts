import { BoundedMap } from '@/lib/async/bounded-map';
import { randomUUID } from 'node:crypto';
import { verbPhraseSchema } from '@/lib/actions/verb-phrase';
import { receiptSchema } from '@/lib/actions/receipt';
import type { Budget } from '@/lib/budget/budget';
import type { Reply } from '@/lib/actions/reply';
import { SYSTEM_ACTOR, type Actor, type TimelineEvent } from '@/lib/protocol/views';
import { messageSchema, type Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { cleanText } from '@/lib/text/clean';
import { maskAddresses, maskedDeep } from '@/lib/text/mask';
import { Emitter } from '@/server/browser/emitter';
import type { ActionKey, EarlierResult, IntentResult, NewTimelineEvent, SessionLedger, TimelineQuery } from './ledger';

const MAX_TEXT = 400;

/** The fields that decide whether a row is private. */
export interface RowContext {
  readonly kind: string;
  readonly tab: string | undefined;
  readonly actor: string | undefined;
}

/** What the timeline asks the session about a new row. */
export interface RowsContext {
  /** The epoch of a tab's lease now; undefined when it has none. */
  epochOf(tab: string): number | undefined;
  /** Whether such a row is private: its text is then not stored (CO8). */
  hides?(row: RowContext): boolean;
}

/** An action as it is recorded. */
export type AuditEntry = Pick<NewTimelineEvent, 'kind' | 'text'> & Partial<NewTimelineEvent>;

/** Any other event, as a message code with data, from which the text is made. */
export type TimelineNote = Pick<NewTimelineEvent, 'kind'> &
  Partial<Omit<NewTimelineEvent, 'text' | 'said'>> & { readonly said: Message };

/** Limit of participants whose door is remembered. */
const MOST_DOORS = 256;

/** The ordered record of a session (TL1). Each row is stored before it is emitted. */
export class Timeline {
  readonly onEvent: Emitter<[TimelineEvent]>;
  /** The action picture of an earlier row is available. */
  readonly onPicture: Emitter<[TimelineEvent]>;
  #last: TimelineEvent | undefined;
  /** The door that each participant used last. */
  readonly #doors = new BoundedMap<string, TimelineEvent['door']>(MOST_DOORS);

  /** @param fault receives what a listener throws: a row is stored all the same */
  constructor(
    private readonly ledger: SessionLedger,
    last: TimelineEvent | undefined,
    fault: (error: unknown) => void,
    private readonly about: RowsContext,
  ) {
    this.#last = last;
    this.onEvent = new Emitter(fault);
    this.onPicture = new Emitter(fault);
  }

  get last(): TimelineEvent | undefined {
    return this.#last;
  }

  /** Adds an event that is not an action: control, joins, dialogs, navigation, refusals. */
  tell(event: TimelineNote): Promise<TimelineEvent> {
    return this.#append({ ...event, ...formatMessage(event.said) });
  }

  /** Adds an action that was refused before it began. */
  refused(event: AuditEntry): Promise<TimelineEvent> {
    return this.#append(event);
  }

  /** The earlier result of an action, from the result table. */
  recall(key: ActionKey): Promise<EarlierResult | undefined> {
    return this.ledger.recall(key);
  }

  /** Stores the intent of an action, unless the result table already has the action. */
  async intend(key: ActionKey, event: AuditEntry): Promise<IntentResult> {
    const result = await this.ledger.intend(key, this.#complete({ ...event, phase: 'intent' }));
    if (result.state === 'recorded') this.#emit(result.event);
    return result;
  }

  async conclude(key: ActionKey, reply: Reply, event: AuditEntry): Promise<TimelineEvent> {
    return this.#emit(await this.ledger.conclude(key, reply, this.#complete({ ...event, phase: 'outcome' })));
  }

  /** Concludes an action that was not carried out, and frees its id. */
  async withdraw(key: ActionKey, event: AuditEntry): Promise<TimelineEvent> {
    return this.#emit(await this.ledger.withdraw(key, this.#complete({ ...event, phase: 'outcome' })));
  }

  events(query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.ledger.events(query);
  }

  /** Searches the timeline. Throws TIMEOUT. */
  search(budget: Budget, query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.ledger.search(budget, query);
  }

  /** The whole timeline with its signature, as JSON lines (TL2). */
  exportLines(): AsyncGenerator<string, void> {
    return this.ledger.exportLines();
  }

  /** Completes a row with its actor's door and the epoch of its tab (TL1), and removes the text of a private one. */
  #complete(event: AuditEntry): NewTimelineEvent {
    const { actor, door } = event;
    if (actor && door) this.#cameBy(actor.id, door);
    const epoch = event.epoch ?? (event.tab === undefined ? undefined : this.about.epochOf(event.tab));
    const row: AuditEntry = {
      ...event,
      door: door ?? this.#doors.get(actor?.id ?? '') ?? 'server',
      ...(epoch !== undefined && { epoch }),
    };
    return complete(this.about.hides?.({ kind: row.kind, tab: row.tab, actor: actor?.id }) ? withoutText(row) : row);
  }

  /** Bounded, because agents choose their names: the participant that is silent longest is dropped. */
  #cameBy(participant: string, door: TimelineEvent['door']): void {
    this.#doors.set(participant, door);
  }

  /** Settles when the row is stored. Logs a failure, because most callers do not wait. */
  #append(event: AuditEntry): Promise<TimelineEvent> {
    const told = this.ledger.append(this.#complete(event)).then((row) => this.#emit(row));
    told.catch((error: unknown) => this.ledger.failed(error, 'a row of the timeline was not written'));
    return told;
  }

  #emit(event: TimelineEvent): TimelineEvent {
    this.#last = event;
    this.onEvent.emit(event);
    return event;
  }
}

/** Removes from a row what was done and where; keeps actor, kind, time and outcome. */
export function withoutText({
  text: _text,
  said: _said,
  deed: _deed,
  element: _element,
  point: _point,
  did: _did,
  receipt: _receipt,
  actionId: _actionId,
  ...row
}: AuditEntry): AuditEntry {
  return { ...row, ...formatMessage({ code: HIDDEN[row.actor?.kind ?? 'system'] }) };
}

/** Replacement messages for private rows: people act privately, agents are refused. */
const HIDDEN = {
  human: 'didPrivately',
  agent: 'triedPrivately',
  system: 'happenedPrivately',
} as const satisfies Record<Actor['kind'], string>;

function complete(event: AuditEntry): NewTimelineEvent {
  const base = { id: randomUUID(), phase: 'event' as const, actor: SYSTEM_ACTOR, door: 'server' as const };
  return { ...base, ...event, text: maskAddresses(cleanText(event.text, MAX_TEXT)), ...masked(event) };
}

/** The data fields of a row, with secrets in addresses masked (SN6). */
function masked({ said, deed, element, receipt }: AuditEntry): Partial<NewTimelineEvent> {
  return {
    ...(said && { said: messageSchema.parse(maskedFields(said)) }),
    ...(deed && { deed: verbPhraseSchema.parse(maskedFields(deed)) }),
    ...(element && { element: { ...element, name: maskAddresses(element.name) } }),
    ...(receipt && { receipt: receiptSchema.parse(maskedDeep(receipt)) }),
  };
}

function maskedFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? maskAddresses(value) : value,
    ]),
  );
}

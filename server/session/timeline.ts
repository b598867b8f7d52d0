import { BoundedMap } from '@/lib/async/bounded-map';
import { randomUUID } from 'node:crypto';
import { verbPhraseSchema } from '@/lib/actions/verb-phrase';
import { receiptSchema } from '@/lib/actions/receipt';
import type { Budget } from '@/lib/budget/budget';
import type { Reply } from '@/lib/actions/reply';
import type { Actor, TimelineEvent } from '@/lib/protocol/views';
import { messageSchema, type Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { cleanText } from '@/lib/text/clean';
import { maskAddresses, maskedDeep } from '@/lib/text/mask';
import { Emitter } from '@/server/browser/emitter';
import type { ActionKey, EarlierResult, IntentResult, NewTimelineEvent, SessionLedger, TimelineQuery } from './ledger';

const SYSTEM: Actor = { id: 'system', name: 'Wheelhouse', kind: 'system' };
const MAX_TEXT = 400;

/** What tells whether a row is private. */
export interface RowContext {
  readonly kind: string;
  readonly tab: string | undefined;
  readonly actor: string | undefined;
}

/** What the session knows of a row that is just to be told. */
export interface RowsContext {
  /** The epoch of a tab's lease now; undefined when it has none. */
  epochOf(tab: string): number | undefined;
  /** Whether what such a row tells is private: of its words nothing is kept (CO8). */
  hides?(row: RowContext): boolean;
}

/** An action as it is recorded. */
export type AuditEntry = Pick<NewTimelineEvent, 'kind' | 'text'> & Partial<NewTimelineEvent>;

/** Anything else that happened: said as data, from which its text is made. */
export type TimelineNote = Pick<NewTimelineEvent, 'kind'> &
  Partial<Omit<NewTimelineEvent, 'text' | 'said'>> & { readonly said: Message };

/** Participants whose door is remembered. */
const MOST_DOORS = 256;

/** The ordered record of a session (TL1). Each row is stored first and told afterwards. */
export class Timeline {
  readonly onEvent = new Emitter<[TimelineEvent]>();
  /** A row that was told before has got the picture of its moment. */
  readonly onPicture = new Emitter<[TimelineEvent]>();
  #last: TimelineEvent | undefined;
  /** By which door each participant came last. */
  readonly #doors = new BoundedMap<string, TimelineEvent['door']>(MOST_DOORS);

  constructor(
    private readonly ledger: SessionLedger,
    last: TimelineEvent | undefined,
    private readonly about: RowsContext,
  ) {
    this.#last = last;
  }

  get last(): TimelineEvent | undefined {
    return this.#last;
  }

  /** Something happened that is not an action: control, joins, dialogs, navigation, refusals. */
  tell(event: TimelineNote): Promise<TimelineEvent> {
    return this.#append({ ...event, ...formatMessage(event.said) });
  }

  /** An action that was not even begun. */
  refused(event: AuditEntry): Promise<TimelineEvent> {
    return this.#append(event);
  }

  /** What the result table says of an action that was asked for before. */
  recall(key: ActionKey): Promise<EarlierResult | undefined> {
    return this.ledger.recall(key);
  }

  /** Stores the intent of an action, unless the result table knows it already. */
  async intend(key: ActionKey, event: AuditEntry): Promise<IntentResult> {
    const result = await this.ledger.intend(key, this.#complete({ ...event, phase: 'intent' }));
    if (result.state === 'recorded') this.#emit(result.event);
    return result;
  }

  async conclude(key: ActionKey, reply: Reply, event: AuditEntry): Promise<TimelineEvent> {
    return this.#emit(await this.ledger.conclude(key, reply, this.#complete({ ...event, phase: 'outcome' })));
  }

  events(query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.ledger.events(query);
  }

  /** Throws TIMEOUT. */
  search(budget: Budget, query: TimelineQuery): Promise<TimelineEvent[]> {
    return this.ledger.search(budget, query);
  }

  /** The whole of it with its signed end, as JSON lines (TL2). */
  exportLines(): AsyncGenerator<string, void> {
    return this.ledger.exportLines();
  }

  /** Every row says by which door its actor came and in which epoch of its tab it happened, whoever tells it (TL1). */
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

  /** Agents name themselves, so names must not add up: the one that was not heard of for longest goes. */
  #cameBy(participant: string, door: TimelineEvent['door']): void {
    this.#doors.set(participant, door);
  }

  /** Settles when it is stored. Most callers do not wait for it: its failure is told here. */
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

/** That something was done, by whom, of which kind, when and how it ended; not what, on what or where. */
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

/** What is said instead: only people do things privately, an agent is refused. */
const HIDDEN = {
  human: 'didPrivately',
  agent: 'triedPrivately',
  system: 'happenedPrivately',
} as const satisfies Record<Actor['kind'], string>;

function complete(event: AuditEntry): NewTimelineEvent {
  const base = { id: randomUUID(), phase: 'event' as const, actor: SYSTEM, door: 'server' as const };
  return { ...base, ...event, text: maskAddresses(cleanText(event.text, MAX_TEXT)), ...masked(event) };
}

/** What a row shows as data, without the secrets that addresses carry (SN6). */
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

import type { z } from 'zod';
import type { Grant } from '@/lib/rights/grants';
import type { Head, StepVerb } from '@/lib/steps/codec';
import type { Phrase } from '../phrases';
import type { Rewrite } from '../rewrites';
import type { TargetFields } from '../shared';

/**
 * `write` needs the lease; `read` needs only the right to watch; `remedy` needs that no other person has the lease
 * (CO9).
 */
export type Access = 'read' | 'write' | 'remedy';

/** A grant that an action may need in addition to watching or driving. Scripts need `evaluate`; see `runsScript`. */
export type ActionGrant = Extract<Grant, 'files' | 'clipboard:copy' | 'clipboard:paste'>;

/**
 * Everything about one kind of action that does not depend on the session or the tab. These are methods, not function
 * properties, so that `kindOf` can return one type for all kinds.
 */
export interface KindRules<A, Verb extends string> {
  /** One line for agents and documents. */
  readonly about: string;
  /** Budget when the caller names none, milliseconds (BU5). */
  readonly timeoutMs: number;
  readonly access: Access;
  /** An action of this kind, as documents show it. */
  readonly example: object;

  /** The verbs that only read, in a kind that otherwise writes. */
  readonly reads?: readonly NoInfer<Verb>[];
  /** Grant that an action other than a read needs. */
  grant?(action: A): ActionGrant;
  /** It runs a script of its sender. Such an action is a write. */
  runsScript?(action: A): boolean;
  /** It changes more than its own tab, and needs that no other participant holds any tab of the session (CO1). */
  changesSession?(action: A): boolean;
  /**
   * Sent to one tab, it reads or writes data of other tabs: refused while another participant holds one of them
   * privately (CO8).
   */
  readonly reachesOtherTabs?: boolean;
  /** It sees everything the browser does: refused while any tab is held privately (CO8). */
  seesBrowser?(action: A): boolean;
  /** A read that returns nothing of a page. */
  readonly apartFromPage?: boolean;
  /** A read during which the page may change. */
  readonly waits?: boolean;
  /** Its own rate limit also applies to a participant who watches while another drives. */
  readonly limitedForOnlookers?: boolean;

  /** Names the element it acts on, when that is not in its own target fields. */
  element?(action: A): TargetFields;
  /** The text it types: remembered as a secret when the tab is held privately (CO8). */
  typed?(action: A): readonly string[];
  /** Its `tab` field names the object of the action, not only the tab it is sent to. */
  readonly tabIsObject?: boolean;
  /** A copy of the action with `put` applied to each text that may hold `${name}`. */
  withVariables?(action: A, put: (text: string) => string): A;
  /** The text that other participants see (SN6). `secret`: the element is, or may be, a secret field. */
  masked?(action: A, secret: boolean): A;
  /**
   * Verbs that a receipt leaves out in addition to reads: they change nothing, or their inner actions are listed (CO5).
   */
  readonly quiet?: readonly NoInfer<Verb>[];
  /** Its picture shows the value, so the picture is kept only if the value may be shown (SN6). */
  readonly pictureShowsValue?: boolean;

  /**
   * English of the timeline by verb, as ICU messages; `verbsWithValue` are used instead where there is a value to show.
   * The Chinese ones are in `components/messages/zh-event.ts`.
   */
  readonly verbs: Readonly<Record<Verb, string>>;
  /** The verb of this action; by default its kind. */
  verb?(action: A): NoInfer<Verb>;
  /** The text that was typed, the key, the option, the condition or the answer. */
  value?(action: A, secret: boolean): string | undefined;
  /** The address that it opens. */
  address?(action: A): string | undefined;
  /** One English line for people; by default the kind and the name of its element. */
  sentence?(action: A, phrase: Phrase): string;

  readonly steps: StepCodec<A>;
  /** Rewrites of older payloads by their `kind`, which may be this kind's own (AC9). */
  readonly older?: Readonly<Record<string, Rewrite>>;
}

/** How an action is written as a step and read back (ST1). */
export interface StepCodec<A> {
  readonly verbs: Readonly<Record<string, StepVerb>>;
  /** Other spellings that agents have learned elsewhere, in lower case, each with its verb. */
  readonly aliases?: Readonly<Record<string, string>>;
  print(action: A): Head;
}

export interface Kind<S extends z.ZodType, Verb extends string, ValueVerb extends string> extends KindRules<
  z.output<S>,
  Verb
> {
  readonly schema: S;
  readonly verbsWithValue?: Readonly<Record<ValueVerb, string>>;
}

/** A kind that does one thing. */
export function defineKind<S extends z.ZodType, const Verb extends string, const ValueVerb extends string = never>(
  kind: Kind<S, Verb, ValueVerb>,
): Kind<S, Verb, ValueVerb> {
  return kind;
}

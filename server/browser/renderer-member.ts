import type { DialogView } from '@/lib/actions/reply';
import type { Message } from '@/lib/messages/message';
import type { Sentinel } from '@/server/cdp/sentinel';

/** A page or an out-of-process frame as a member of its renderer group. */
export interface RendererMember {
  /** The tab's id. */
  readonly id: string;
  /** The page that a frame is inside; undefined for a page. */
  readonly inside: RendererMember | undefined;
  /** The short id of the opener's tab. */
  readonly opener: string | undefined;
  readonly sentinel: Sentinel;
  name(): string;
  dialog(): DialogView | undefined;
  /** Whether a script of ours runs in it. */
  runs(): boolean;
  /** Shows the message until the member answers again. */
  hangs(said: Message): void;
  /** Whether such a message is shown now. */
  hung(): boolean;
  /** Whether there is a known reason not to ask for a sign of life, such as a dialog or a crash. */
  excused(): boolean;
  /** Its process runs only a small part of the time (AC6), so it gets more time to answer. */
  slowed(): boolean;
  /** It gave no sign of life in time. */
  silent(): void;
  /** It answers, but has run no task since it was asked before. */
  still?(): void;
  /** It gave a sign of life. */
  alive(): void;
  /** Reads again what Chrome does not report by itself; asks Chrome, not the page. */
  look?(): void;
}

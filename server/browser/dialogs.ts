import type { Message } from '@/lib/messages/message';
import { WheelhouseError } from '@/lib/errors/error';
import type { DialogView } from '@/lib/actions/reply';
import { cleanText } from '@/lib/text/clean';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { SuspendedAnswers } from './suspended-answers';
import { DialogStreak } from './dialog-streak';
import { Emitter } from './emitter';

export interface DialogAnswer {
  readonly accept: boolean;
  readonly promptText?: string | undefined;
  /** Who armed the answer; told when another answer replaces it. */
  readonly by?: string | undefined;
  /** The agent that armed the answer. */
  readonly agent?: ScriptOwner | undefined;
}

const MAX_MESSAGE = 2_000;

/** The JavaScript dialogs of one tab (DI1). At most one is open; it blocks all scripts of the page until answered. */
export class Dialogs {
  readonly onOpen = new Emitter<[DialogView]>();
  /** Fires when a dialog without an armed answer opens: scripts and input block until somebody answers. */
  readonly onBlock = new Emitter<[DialogView]>();
  /** Fires when the page exceeds the limit of dialogs in a row; they are dismissed until it stops for a while. */
  readonly onSilenced = new Emitter<[]>();
  readonly onClose = new Emitter<[dialog: DialogView, accepted: boolean]>();
  readonly #session: CdpSession;
  #current: DialogView | undefined;
  #frameId: string | undefined;
  #armed: DialogAnswer | undefined;
  /** Armed answers of agents that lost the lease. */
  readonly #aside = new SuspendedAnswers<DialogAnswer>();
  /** Settles when the armed answer has closed the open dialog. */
  #answering: Promise<unknown> | undefined;
  /** Settles when a silenced page has stopped opening dialogs. */
  #silence: Promise<void> | undefined;
  readonly #streak: DialogStreak;
  #count = 0;

  constructor(
    session: CdpSession,
    clock: Clock,
    private readonly personDrives: () => boolean = () => false,
  ) {
    this.#session = session;
    this.#streak = new DialogStreak(clock);
    session.on('Page.javascriptDialogOpening', (event) => {
      this.#frameId = event.frameId;
      this.#opened(event.type, event.message, event.defaultPrompt);
    });
    session.on('Page.javascriptDialogClosed', ({ result }) => this.#closed(result));
  }

  get current(): DialogView | undefined {
    return this.#current;
  }

  /** The frame whose script opened the dialog. */
  get frameId(): string | undefined {
    return this.#frameId;
  }

  /**
   * Settles when none of our answers is on its way to Chrome. A closing dialog does not fail an action, but input sent
   * before it has closed would be lost.
   */
  async answered(budget: Budget): Promise<void> {
    if (this.#silence) await budget.race(this.#silence);
    this.acted();
    if (this.#answering) await budget.race(this.#answering);
  }

  /** Resets the row of dialogs after an action, so that the next dialog is shown. */
  acted(): void {
    if (!this.#silence && !this.#current) this.#streak.interrupted();
  }

  /** The error for an action that the open dialog blocks (EV10). */
  blocking(): WheelhouseError | undefined {
    return this.#current && dialogError(this.#current);
  }

  /**
   * Answers the open dialog. Throws CONFLICT when none is open or its id is not `dialogId`. Source:
   * Page.handleJavaScriptDialog.
   */
  async answer(dialogId: string | undefined, answer: DialogAnswer): Promise<DialogView> {
    const open = this.#current;
    if (!open) throw new WheelhouseError('CONFLICT', { code: 'noDialog' });
    if (dialogId !== undefined && dialogId !== open.id) {
      throw new WheelhouseError('CONFLICT', `The open dialog is "${open.id}", not "${dialogId.slice(0, 40)}".`, {
        details: { dialog: open },
      });
    }
    await this.#session.send('Page.handleJavaScriptDialog', promptParams(answer));
    return open;
  }

  /** Arms an answer for the next dialog, or none. Returns the answer that it replaces. */
  arm(answer: DialogAnswer | undefined): DialogAnswer | undefined {
    const before = this.#armed;
    this.#armed = answer;
    return before;
  }

  /** The agents whose armed answers wait for their next lease. */
  get aside(): ScriptOwner[] {
    return this.#aside.owners();
  }

  /** Suspends the armed answer when its agent loses the lease, so that it answers no dialog of another holder (CO2). */
  suspendAnswers(): void {
    this.#aside.put(this.arm(undefined));
  }

  /** Restores the agent's armed answer when it holds the lease again. */
  restoreAnswers(agent: string): void {
    this.#armed ??= this.#aside.take(agent);
  }

  #opened(type: DialogView['type'], message: string, defaultText: string | undefined): void {
    if (this.#isOneTooMany(type)) return this.#refuse();
    this.#count += 1;
    const base = {
      id: `d${this.#count}`,
      type,
      message: cleanText(message, MAX_MESSAGE),
      openedAt: new Date().toISOString(),
    };
    const dialog: DialogView =
      type === 'prompt' ? { ...base, defaultText: cleanText(defaultText ?? '', MAX_MESSAGE) } : base;
    this.#current = dialog;
    const armed = this.#armed;
    this.#armed = undefined;
    this.onOpen.emit(dialog);
    if (armed) this.#answering = this.#give(armed);
    else this.onBlock.emit(dialog);
  }

  /**
   * Whether to dismiss the dialog. While a person drives, only alerts count, because they leave nothing to decide
   * (DI1).
   */
  #isOneTooMany(type: DialogView['type']): boolean {
    if (type === 'beforeunload') return false;
    if (type === 'alert' || !this.personDrives()) return this.#streak.opened() && !this.#armed;
    this.#streak.interrupted();
    return false;
  }

  /** Gives the armed answer. Settles when the dialog closes or Chrome refuses the answer. */
  async #give(armed: DialogAnswer): Promise<void> {
    const closed = this.onClose.next(() => true);
    if (await this.#session.sendMayFail('Page.handleJavaScriptDialog', promptParams(armed))) await closed.promise;
    closed.stop();
    this.#answering = undefined;
  }

  /** Dismisses a dialog above the limit without showing it. */
  #refuse(): void {
    void this.#session.sendMayFail('Page.handleJavaScriptDialog', { accept: false });
    if (this.#silence) return;
    this.#silence = this.#streak.over().then(() => void (this.#silence = undefined));
    this.onSilenced.emit();
  }

  #closed(accepted: boolean): void {
    this.#streak.closed();
    const dialog = this.#current;
    this.#current = undefined;
    if (dialog) this.onClose.emit(dialog, accepted);
  }
}

function promptParams(answer: DialogAnswer): { accept: boolean; promptText?: string } {
  return answer.promptText === undefined
    ? { accept: answer.accept }
    : { accept: answer.accept, promptText: answer.promptText };
}

const LEAVE =
  'Answer it with {"kind":"dialog","do":"answer","accept":true} and the page is left as asked, or with "accept": false to stay.';

export function dialogError(dialog: DialogView): WheelhouseError {
  if (dialog.type === 'beforeunload')
    return new WheelhouseError('DIALOG_OPEN', 'The page asks whether it may be left; until then it stays.', {
      hint: LEAVE,
      details: { dialog },
    });
  return new WheelhouseError(
    'DIALOG_OPEN',
    `A dialog (${dialog.type}) is open in this tab: "${dialog.message.slice(0, 200)}"`,
    { details: { dialog } },
  );
}

/** The message that shows the dialog's text. */
export function dialogMessage({ type, message }: DialogView): Message {
  if (type === 'beforeunload') return { code: 'leaveAsked' };
  return { code: `${type}Opened`, message };
}

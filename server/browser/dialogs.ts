import type { Message } from '@/lib/messages/message';
import { WheelhouseError } from '@/lib/errors/error';
import type { DialogView } from '@/lib/actions/reply';
import { cleanText } from '@/lib/text/clean';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { SuspendedAnswers } from './suspended-answers';
import { DialogRow } from './dialog-row';
import { Emitter } from './emitter';

export interface DialogAnswer {
  readonly accept: boolean;
  readonly promptText?: string | undefined;
  /** Who armed it, to tell them when another's takes its place. */
  readonly by?: string | undefined;
  /** The agent that armed it. */
  readonly agent?: ScriptOwner | undefined;
}

const MAX_MESSAGE = 2_000;

/** The JavaScript dialogs of one tab (DI1). At most one is open; it blocks every script of the page until answered. */
export class Dialogs {
  readonly onOpen = new Emitter<[DialogView]>();
  /** It opened and no armed answer closes it: scripts and input stand still until somebody answers. */
  readonly onBlock = new Emitter<[DialogView]>();
  /** The page asks on and on: from now on it is told no at once, until it draws breath. */
  readonly onSilenced = new Emitter<[]>();
  readonly onClose = new Emitter<[dialog: DialogView, accepted: boolean]>();
  readonly #session: CdpSession;
  #current: DialogView | undefined;
  #frameId: string | undefined;
  #armed: DialogAnswer | undefined;
  /** What agents had armed that lost the wheel. */
  readonly #aside = new SuspendedAnswers<DialogAnswer>();
  /** Settles when the open dialog has gone by its armed answer. */
  #answering: Promise<unknown> | undefined;
  /** Settles when a page that asks on and on has come to rest. */
  #silence: Promise<void> | undefined;
  readonly #row: DialogRow;
  #count = 0;

  constructor(
    session: CdpSession,
    clock: Clock,
    private readonly personDrives: () => boolean = () => false,
  ) {
    this.#session = session;
    this.#row = new DialogRow(clock);
    session.on('Page.javascriptDialogOpening', (event) => {
      this.#frameId = event.frameId;
      this.#opened(event.type, event.message, event.defaultPrompt);
    });
    session.on('Page.javascriptDialogClosed', ({ result }) => this.#closed(result));
  }

  get current(): DialogView | undefined {
    return this.#current;
  }

  /** The frame whose script opened it. */
  get frameId(): string | undefined {
    return this.#frameId;
  }

  /**
   * Settles when no answer of ours is on its way to Chrome: a dialog that is about to close does not stop an action,
   * but an action made before it closes would be lost.
   */
  async answered(budget: Budget): Promise<void> {
    if (this.#silence) await budget.race(this.#silence);
    this.acted();
    if (this.#answering) await budget.race(this.#answering);
  }

  /** Somebody does something with the page: what it asks next is an answer to that, and shown. */
  acted(): void {
    if (!this.#silence && !this.#current) this.#row.interrupted();
  }

  /** The error for an action that the open dialog stops (EV10). */
  blocking(): WheelhouseError | undefined {
    return this.#current && dialogError(this.#current);
  }

  /**
   * Answers the open dialog. Throws CONFLICT when there is none, or another one than `dialogId`. Source:
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

  /** Answers the next dialog by itself; gives what was armed before, which is lost (the last one wins). */
  arm(answer: DialogAnswer | undefined): DialogAnswer | undefined {
    const before = this.#armed;
    this.#armed = answer;
    return before;
  }

  /** Whose armed answer waits until they have the wheel again. */
  get aside(): ScriptOwner[] {
    return this.#aside.owners();
  }

  /** The one who had the wheel has lost it: what they armed is not given while another has it (CO2). */
  putAside(): void {
    this.#aside.put(this.arm(undefined));
  }

  /** This agent has the wheel again. */
  giveBack(agent: string): void {
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
   * While a person drives, nothing is decided for them (DI1): only alerts, which leave nothing to decide, are counted
   * then.
   */
  #isOneTooMany(type: DialogView['type']): boolean {
    if (type === 'beforeunload') return false;
    if (type === 'alert' || !this.personDrives()) return this.#row.opened() && !this.#armed;
    this.#row.interrupted();
    return false;
  }

  /** Settles with the dialog's end, or when Chrome refuses the answer. */
  async #give(armed: DialogAnswer): Promise<void> {
    const closed = this.onClose.next(() => true);
    if (await this.#session.sendMayFail('Page.handleJavaScriptDialog', promptParams(armed))) await closed.promise;
    closed.stop();
    this.#answering = undefined;
  }

  /** Beyond the limit: closed without being shown. */
  #refuse(): void {
    void this.#session.sendMayFail('Page.handleJavaScriptDialog', { accept: false });
    if (this.#silence) return;
    this.#silence = this.#row.over().then(() => void (this.#silence = undefined));
    this.onSilenced.emit();
  }

  #closed(accepted: boolean): void {
    this.#row.closed();
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

/** What the page says or asks with it. */
export function dialogMessage({ type, message }: DialogView): Message {
  if (type === 'beforeunload') return { code: 'leaveAsked' };
  return { code: `${type}Opened`, message };
}

import type { ChooserView } from '@/lib/files/views';
import { cleanText } from '@/lib/text/clean';
import type { EventParams } from '@/server/cdp/shapes/read';
import type { CdpSession } from '@/server/cdp/session';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';
import { SuspendedAnswers } from '../suspended-answers';
import { Emitter } from '../emitter';
import type { FencedSession } from '../write';

const MAX_ACCEPT = 300;
/** Prefix of the ids of file choosers; ids of other dialogs begin otherwise. */
export const CHOOSER_MARK = 'c';

/** A file chooser that the page has opened and that was not answered yet. */
export interface OpenChooser {
  /** The session of the target that the field is in; its node id is valid only there. */
  readonly session: CdpSession;
  readonly backendNodeId: number;
  readonly view: ChooserView;
}

/** Files for the next chooser. */
export interface Armed {
  readonly files: readonly string[];
  /** Who armed it, so that they are told when another's files replace theirs. */
  readonly by: string;
  /** The agent that armed it. */
  readonly agent?: ScriptOwner | undefined;
}

/**
 * The file choosers of one tab (DI2): Chrome never shows them, and they are answered with files of the session. Source:
 * Page.setInterceptFileChooserDialog.
 */
export class Chooser {
  /** A chooser opened; `answered` when armed files were given to it. */
  readonly onOpen = new Emitter<[chooser: OpenChooser, answered: boolean]>();
  /**
   * The page used the File System Access API: Chrome has already told the page that the user aborted, and no file can
   * be given (Chromium 156).
   */
  readonly onRefused = new Emitter<[]>();
  /** A chooser opened or closed, or more became known of the open one. */
  readonly onChange = new Emitter<[]>();
  #armed: Armed | undefined;
  /** Files that were armed by agents which then lost the wheel. */
  readonly #aside = new SuspendedAnswers<Armed>();
  #open: OpenChooser | undefined;
  #count = 0;

  constructor(private readonly session: CdpSession) {
    this.#listen(session);
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.close();
    });
  }

  /** Handles the choosers of a frame of another process too; an open one closes with the frame's document. */
  follow(session: CdpSession): void {
    const closed = (): void => {
      if (this.#open?.session === session) this.close();
    };
    this.#listen(session);
    session.on('Page.frameNavigated', ({ frame }) => frame.id === session.targetId && closed());
    session.onEnd(closed);
    void this.#intercept(session);
  }

  /** The chooser that waits for files, if one does. */
  get open(): OpenChooser | undefined {
    return this.#open;
  }

  /** Asks Chrome to report choosers instead of showing them. Never rejects. */
  async start(): Promise<void> {
    await this.#intercept(this.session);
  }

  /** Keeps files for the next chooser; returns what was armed before, which is discarded (the last one wins). */
  arm(armed: Armed | undefined): Armed | undefined {
    const before = this.#armed;
    this.#armed = armed;
    return before;
  }

  /** The agents whose armed files wait until they have the wheel again. */
  get aside(): ScriptOwner[] {
    return this.#aside.owners();
  }

  /** The holder lost the wheel: its armed files are not used while another has it (CO2). */
  suspendFiles(): void {
    this.#aside.put(this.arm(undefined));
  }

  /** Arms the files of an agent that has the wheel again. */
  restoreFiles(agent: string): void {
    this.#armed ??= this.#aside.take(agent);
  }

  /** Gives files to the chooser that is open. */
  async answer(write: FencedSession, chooser: OpenChooser, files: readonly string[]): Promise<void> {
    await write.on(chooser.session)('DOM.setFileInputFiles', {
      files: [...files],
      backendNodeId: chooser.backendNodeId,
    });
    if (this.#open?.view.id === chooser.view.id) this.close();
  }

  /**
   * Closes the open chooser without files. The page gets no event, as in a Chrome whose own chooser is closed on an
   * empty field.
   */
  close(): void {
    if (!this.#open) return;
    this.#open = undefined;
    this.onChange.emit();
  }

  async #intercept(session: CdpSession): Promise<void> {
    await session.sendMayFail('Page.setInterceptFileChooserDialog', { enabled: true });
  }

  #listen(session: CdpSession): void {
    session.on('Page.fileChooserOpened', (event) => this.#opened(session, event));
  }

  #opened(session: CdpSession, { backendNodeId, mode }: EventParams<'Page.fileChooserOpened'>): void {
    if (backendNodeId === undefined) return this.onRefused.emit();
    this.#count += 1;
    const view = {
      id: `${CHOOSER_MARK}${this.#count}`,
      multiple: mode === 'selectMultiple',
      accept: '',
      openedAt: new Date().toISOString(),
    };
    const chooser: OpenChooser = { session, backendNodeId, view };
    const armed = this.#armed;
    this.#armed = undefined;
    this.#open = armed ? undefined : chooser;
    if (armed)
      void session.sendMayFail('DOM.setFileInputFiles', {
        files: view.multiple ? [...armed.files] : armed.files.slice(0, 1),
        backendNodeId,
      });
    else void this.#readAccept(chooser);
    this.onOpen.emit(chooser, armed !== undefined);
    this.onChange.emit();
  }

  /**
   * Reads the field's `accept`; the answer comes a moment later, or never when the page hangs. Source:
   * DOM.describeNode.
   */
  async #readAccept(chooser: OpenChooser): Promise<void> {
    const answer = await chooser.session.sendMayFail('DOM.describeNode', { backendNodeId: chooser.backendNodeId });
    const attributes = answer?.node.attributes ?? [];
    const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'accept');
    const accept = at < 0 ? '' : cleanText(attributes[at + 1] ?? '', MAX_ACCEPT);
    if (accept === '' || this.#open !== chooser) return;
    this.#open = { ...chooser, view: { ...chooser.view, accept } };
    this.onChange.emit();
  }
}

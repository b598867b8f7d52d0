import type { Protocol } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import type { Write } from '../write';

/** A file chooser that the page has opened and nobody has answered. */
export interface OpenChooser {
  readonly backendNodeId: number;
  readonly multiple: boolean;
}

/** Files for the next chooser. */
export interface Armed {
  readonly files: readonly string[];
  /** Who armed it, to tell them when another's takes its place. */
  readonly by: string;
}

/** The file choosers of one tab (DI2): never shown by Chrome, answered with files of the session. Source: Page.setInterceptFileChooserDialog. */
export class Chooser {
  /** One opened; `answered` when an armed answer was given to it. */
  readonly onOpen = new Emitter<[chooser: OpenChooser, answered: boolean]>();
  #armed: Armed | undefined;
  #open: OpenChooser | undefined;

  constructor(private readonly session: CdpSession) {
    session.on('Page.fileChooserOpened', (event) => this.#opened(event));
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#open = undefined;
    });
  }

  /** The chooser that waits for files, if one does. */
  get open(): OpenChooser | undefined {
    return this.#open;
  }

  /** Asks Chrome to leave choosers to us. Never rejects. */
  async start(): Promise<void> {
    await this.session.sendMayFail('Page.setInterceptFileChooserDialog', { enabled: true });
  }

  /** Keeps files for the next chooser; gives what was armed before, which is lost (the last one wins). */
  arm(armed: Armed | undefined): Armed | undefined {
    const before = this.#armed;
    this.#armed = armed;
    return before;
  }

  /** Gives files to the chooser that is open. */
  async answer(write: Write, chooser: OpenChooser, files: readonly string[]): Promise<void> {
    await write('DOM.setFileInputFiles', { files: [...files], backendNodeId: chooser.backendNodeId });
    if (this.#open === chooser) this.#open = undefined;
  }

  #opened({ backendNodeId, mode }: Protocol.Page.FileChooserOpenedEvent): void {
    if (backendNodeId === undefined) return;
    const chooser: OpenChooser = { backendNodeId, multiple: mode === 'selectMultiple' };
    const armed = this.#armed;
    this.#armed = undefined;
    this.#open = armed ? undefined : chooser;
    if (armed) void this.session.sendMayFail('DOM.setFileInputFiles', { files: chooser.multiple ? [...armed.files] : armed.files.slice(0, 1), backendNodeId });
    this.onOpen.emit(chooser, armed !== undefined);
  }
}

import path from 'node:path';
import { privateHoldOf } from '@/lib/control/rules';
import type { FileApi } from '@/server/actions/context';
import { Emitter } from '@/server/browser/emitter';
import type { Download, DownloadFailure } from '@/server/browser/files/download';
import { Downloads } from '@/server/browser/files/downloads';
import { SessionFiles, type FileMaker } from '@/server/browser/files/session-files';
import type { CdpSession } from '@/server/cdp/session';
import { sightOf, type Principal } from '@/server/access/principal';
import type { Caller } from '@/server/session/caller';
import type { Feature, Hooks } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { actorOf } from '@/server/session/participants';
import { ACTION_FILES } from '@/server/session/feature-slots';
import { Slot } from '@/server/session/slot';
import type { SessionTab } from '@/server/session/session-tab';
import { ShownFiles } from './shown-files';

const FAILED = {
  broken: 'downloadBroken',
  cancelled: undefined,
  quota: 'downloadTooLarge',
  disk: 'downloadNotKept',
} as const satisfies Record<DownloadFailure, string | undefined>;

/** Downloads of a session's pages and files for upload (DI2), with their timeline rows. */
export class FileTransfers implements Hooks {
  readonly sessionFiles: SessionFiles;
  readonly downloads: Downloads;
  /** Files or downloads changed; `files` is true when a file was added or removed. */
  readonly onChange = new Emitter<[files: boolean]>();

  constructor(private readonly kernel: SessionKernel) {
    const { registry, timeline, leases, init } = kernel;
    this.sessionFiles = new SessionFiles(path.join(kernel.services.filesRoot, kernel.id));
    this.downloads = new Downloads({
      sessionFiles: this.sessionFiles,
      tabsOf: (frameId) => familyOf(registry.byTarget(frameId)?.tab),
      driverOf: (tabs) => this.#driverOf(tabs),
      hides: (tabs) => tabs.some((tab) => privateHoldOf(leases.lease(tab)) !== undefined),
      redact: (text) => kernel.secrets.redactor.text(text),
    });
    this.downloads.onChange.on((download) => this.#tell(download));
    this.downloads.onProgress.on(() => this.onChange.emit(false));
    this.sessionFiles.onChange.on(() => this.onChange.emit(true));
    registry.onAdded.on(({ tab }) => {
      const hear = (commands: CdpSession): void => this.downloads.hear(commands, () => familyOf(tab));
      for (const { sessions } of [tab, ...tab.frames.targets()]) hear(sessions.commands);
      tab.frames.onTarget.on(({ sessions }) => hear(sessions.commands));
      tab.tools.chooser.onRefused.on(
        () => void timeline.tell({ kind: 'files', said: { code: 'filesUnanswerable' }, tab: tab.id }),
      );
      tab.tools.chooser.onOpen.on(
        (_, answered) =>
          void timeline.tell({ kind: 'files', said: { code: answered ? 'filesGiven' : 'filesAsked' }, tab: tab.id }),
      );
    });
    init.contextRef.onMove.on(() => this.#followContext());
    this.#followContext();
  }

  /** Follows downloads of the session's present browser contexts. */
  #followContext(): void {
    const { present, contexts } = this.kernel.init.contextRef;
    if (present) this.downloads.follow(present, contexts);
  }

  /** The files and downloads that a caller may see. */
  shownTo(principal: Principal): ShownFiles {
    return new ShownFiles(this, sightOf(principal));
  }

  /** The file functions for an action of this caller on this tab. */
  forAction(sessionTab: SessionTab, principal: Principal): FileApi {
    const shown = this.shownTo(principal);
    return {
      sessionFiles: this.sessionFiles,
      downloads: this.downloads,
      paths: (names) => shown.paths(names),
      viewOf: (download) => shown.viewOf(download),
      armReplaced: (loser) => this.#armReplaced(sessionTab, loser),
      chooserClosed: () => this.#chooserClosed(sessionTab),
    };
  }

  dispose(): void {
    this.downloads.dispose();
  }

  erase(): Promise<void> {
    return this.sessionFiles.erase();
  }

  /** Reports on the timeline that an armed answer to a dialog or file chooser was replaced (DI1, DI2). */
  #armReplaced(sessionTab: SessionTab, loser: string): void {
    void this.kernel.timeline.tell({
      kind: 'files',
      said: { code: 'armReplaced', name: loser },
      tab: sessionTab.tab.id,
    });
  }

  /** Reports on the timeline that the page was given no files. */
  #chooserClosed(sessionTab: SessionTab): void {
    void this.kernel.timeline.tell({ kind: 'files', said: { code: 'filesNotGiven' }, tab: sessionTab.tab.id });
  }

  /** Cancels a download, or removes a finished one from the list. Throws NOT_FOUND. */
  dropDownload({ principal, door }: Caller, id: string): void {
    const { download, cancelled } = this.downloads.drop(id);
    const said = { code: 'downloadCancelled', name: download.view.name } as const;
    if (cancelled)
      void this.kernel.timeline.tell({ kind: 'download', said, actor: actorOf(principal), door, ...whereOf(download) });
  }

  #driverOf([tab]: readonly string[]): FileMaker | undefined {
    const lease = tab === undefined ? undefined : this.kernel.leases.lease(tab);
    return lease?.state === 'held' ? lease.holder : undefined;
  }

  #tell(download: Download): void {
    const { state, failure, view } = download;
    const done = download.file ? 'downloadDone' : 'downloadElsewhere';
    const code = failure ? FAILED[failure] : state === 'done' ? done : 'downloadBegun';
    if (code)
      void this.kernel.timeline.tell({ kind: 'download', said: { code, name: view.name }, ...whereOf(download) });
    this.onChange.emit(false);
  }
}

function familyOf(tab: { readonly id: string; readonly opener: string | undefined } | undefined): string[] {
  return [tab?.id, tab?.opener].filter((id) => id !== undefined);
}

function whereOf({ tabs: [tab] }: Download): { tab?: string } {
  return tab === undefined ? {} : { tab };
}

/** The files and downloads of a session. */
export const FILES = new Slot<FileTransfers>('files');

export const files: Feature = {
  name: 'files',
  start: (kernel) => {
    const transfers = new FileTransfers(kernel);
    FILES.fill(kernel, transfers);
    ACTION_FILES.fill(kernel, transfers);
    return transfers;
  },
};

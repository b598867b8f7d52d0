import type { Clock } from '@/lib/budget/clock';
import { privateHoldOf } from '@/lib/control/rules';
import { Emitter } from '@/server/browser/emitter';
import type { Download, DownloadFailure } from '@/server/browser/files/download';
import { Downloads } from '@/server/browser/files/downloads';
import { SessionFiles, type FileMaker } from '@/server/browser/files/session-files';
import type { KnownSecrets } from '@/server/browser/known-secrets';
import type { CdpSession } from '@/server/cdp/session';
import type { Caller } from './caller';
import type { Leases } from './leases';
import type { ContextRef } from './context-ref';
import { actorOf } from './participants';
import type { TabRegistry } from './tab-registry';
import type { SessionTab } from './session-tab';
import type { Timeline } from './timeline';
import { Traces } from './traces';

export interface FileTransfersDeps {
  /** The session's own folder. */
  readonly root: string;
  readonly contextRef: ContextRef;
  readonly registry: TabRegistry;
  readonly timeline: Timeline;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly secrets: KnownSecrets;
}

const FAILED = {
  broken: 'downloadBroken',
  cancelled: undefined,
  quota: 'downloadTooLarge',
  disk: 'downloadNotKept',
} as const satisfies Record<DownloadFailure, string | undefined>;

/**
 * Everything that a session's pages download, and everything that may be uploaded to them (DI2); told on the timeline.
 */
export class FileTransfers {
  readonly sessionFiles: SessionFiles;
  readonly downloads: Downloads;
  /** A file came or went, or a download went on; `files` when it was a file. */
  readonly onChange = new Emitter<[files: boolean]>();
  readonly traces: Traces;

  constructor(private readonly deps: FileTransfersDeps) {
    const { root, registry, timeline, leases, clock } = deps;
    this.sessionFiles = new SessionFiles(root);
    this.downloads = new Downloads({
      sessionFiles: this.sessionFiles,
      tabsOf: (frameId) => familyOf(registry.byTarget(frameId)?.tab),
      driverOf: (tabs) => this.#driverOf(tabs),
      hides: (tabs) => tabs.some((tab) => privateHoldOf(leases.lease(tab)) !== undefined),
      redact: (text) => deps.secrets.redactor.text(text),
    });
    this.traces = new Traces({ clock, timeline, sessionFiles: this.sessionFiles, secrets: deps.secrets });
    leases.onEffect.on((effect) => this.traces.wheelMoved(effect));
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
    this.followHome();
  }

  /** Downloads of the context the session lives in now come here. */
  followHome(): void {
    const { present, contextId } = this.deps.contextRef;
    if (present) this.downloads.follow(present, contextId);
  }

  /** Tells everybody that what somebody had armed for the next dialog or file chooser is lost (DI1, DI2). */
  armReplaced(sessionTab: SessionTab, loser: string): void {
    this.deps.timeline.tell({ kind: 'files', said: { code: 'armReplaced', name: loser }, tab: sessionTab.tab.id });
  }

  /** Tells everybody that the page was given no files. */
  chooserClosed(sessionTab: SessionTab): void {
    this.deps.timeline.tell({ kind: 'files', said: { code: 'filesNotGiven' }, tab: sessionTab.tab.id });
  }

  /** Ends a download, or takes one that has ended off the list. Throws NOT_FOUND. */
  dropDownload({ principal, door }: Caller, id: string): void {
    const { download, cancelled } = this.downloads.drop(id);
    const said = { code: 'downloadCancelled', name: download.view.name } as const;
    if (cancelled)
      this.deps.timeline.tell({ kind: 'download', said, actor: actorOf(principal), door, ...whereOf(download) });
  }

  #driverOf([tab]: readonly string[]): FileMaker | undefined {
    const lease = tab === undefined ? undefined : this.deps.leases.lease(tab);
    return lease?.state === 'held' ? lease.holder : undefined;
  }

  #tell(download: Download): void {
    const { state, failure, view } = download;
    const done = download.file ? 'downloadDone' : 'downloadElsewhere';
    const code = failure ? FAILED[failure] : state === 'done' ? done : 'downloadBegun';
    if (code) this.deps.timeline.tell({ kind: 'download', said: { code, name: view.name }, ...whereOf(download) });
    this.onChange.emit(false);
  }
}

function familyOf(tab: { readonly id: string; readonly opener: string | undefined } | undefined): string[] {
  return [tab?.id, tab?.opener].filter((id) => id !== undefined);
}

function whereOf({ tabs: [tab] }: Download): { tab?: string } {
  return tab === undefined ? {} : { tab };
}

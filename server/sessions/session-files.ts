import { Downloads, type Download } from '@/server/browser/files/downloads';
import { FileRoom } from '@/server/browser/files/file-room';
import type { Home } from './home';
import type { TabBook } from './tab-book';
import type { TabSeat } from './tab-seat';
import type { Timeline } from './timeline';

export interface SessionFilesDeps {
  /** The session's own folder. */
  readonly root: string;
  readonly home: Home;
  readonly book: TabBook;
  readonly timeline: Timeline;
}

/** Everything that a session's pages download, and everything that may be uploaded to them (DI2); told on the timeline. */
export class SessionFiles {
  readonly room: FileRoom;
  readonly downloads: Downloads;

  constructor(private readonly deps: SessionFilesDeps) {
    const { root, book, timeline } = deps;
    this.room = new FileRoom(root);
    this.downloads = new Downloads({ room: this.room, tabsOf: (frameId) => familyOf(book.byTarget(frameId)?.tab) });
    this.downloads.onChange.on((download) => this.#tell(download));
    book.onSeated.on(({ tab }) => {
      tab.sessions.commands.on('Page.downloadWillBegin', ({ guid }) => this.downloads.claim(familyOf(tab), guid));
      tab.tools.chooser.onOpen.on((_, answered) => void timeline.tell({ kind: 'files', said: { code: answered ? 'filesGiven' : 'filesAsked' }, tab: tab.id }));
    });
    this.followHome();
  }

  /** Downloads of the context the session lives in now come here. One in the default context of an attached Chrome keeps its own folder. */
  followHome(): void {
    const { browser, contextId } = this.deps.home;
    if (contextId !== undefined) this.downloads.follow(browser, contextId);
  }

  /** Tells everybody that what somebody had armed for the next dialog or file chooser is lost (DI1, DI2). */
  armReplaced(seat: TabSeat, loser: string): void {
    this.deps.timeline.tell({ kind: 'files', said: { code: 'armReplaced', name: loser }, tab: seat.tab.id });
  }

  #tell({ state, view, tabs: [tab] }: Download): void {
    const { name, reason = '' } = view;
    const where = tab === undefined ? {} : { tab };
    if (state === 'failed') this.deps.timeline.tell({ kind: 'download', said: { code: 'downloadFailed', name, reason }, ...where });
    else this.deps.timeline.tell({ kind: 'download', said: { code: state === 'done' ? 'downloadDone' : 'downloadBegun', name }, ...where });
  }
}

function familyOf(tab: { readonly id: string; readonly opener: string | undefined } | undefined): string[] {
  return [tab?.id, tab?.opener].filter((id) => id !== undefined);
}

import { TAB_STREAMS } from '@/server/features/streams/streams';
import type { OpenStream, StreamRequest } from '@/server/features/streams/tab-streams';
import { chosen, type Quality, type ShownSize, type TierChoice } from '@/lib/stream/quality';
import type { Session } from '@/server/session/session';
import type { SessionTab } from '@/server/session/session-tab';
import type { StreamPresence } from './stream-presence';

/** One picture stream of a connection: a fixed tab, or `active`, which follows the session's active tab (SE2). */
export class ViewedTab {
  readonly #offs: (() => void)[] = [];
  #open: OpenStream | undefined;
  /** `nothing`: the client was told that there is no tab. */
  #shown: SessionTab | 'nothing' | undefined;
  #stopHeartbeat: (() => void) | undefined;
  /** What is known of the viewer's link outlives the tab that it shows. */
  #quality: Quality;

  constructor(
    private readonly session: Session,
    private readonly request: StreamRequest,
    /** Undefined for a stream that is too small to look at a page. */
    private readonly presence: StreamPresence | undefined,
  ) {
    this.#quality = request.quality;
  }

  /** Starts the stream; reports a missing tab as lost. Throws TAB_NOT_FOUND for a fixed one. */
  show(tab: string): void {
    const { registry, onChange } = this.session;
    const fixed = tab === 'active' ? undefined : registry.find(tab).tab.id;
    const follow = (): void => this.#follow(fixed ?? this.session.activeTab ?? registry.all()[0]?.tab.id);
    this.#offs.push(onChange.on(follow));
    follow();
  }

  /** Without a size, the size stays. */
  choose(tier: TierChoice, size: ShownSize | undefined): void {
    this.#quality = chosen(this.#open?.quality ?? this.#quality, tier, size);
    this.#open?.setQuality(this.#quality);
  }

  dispose(): void {
    for (const off of this.#offs.splice(0)) off();
    this.#close();
    this.presence?.dispose();
  }

  /** Compares objects, because a reopened tab has a new SessionTab under the same id. */
  #follow(id: string | undefined): void {
    const sessionTab = id === undefined ? undefined : this.session.registry.get(id);
    if (this.#shown === (sessionTab ?? 'nothing')) return;
    if (sessionTab) this.#showTab(sessionTab);
    else this.#lost();
  }

  #showTab(sessionTab: SessionTab): void {
    this.#close();
    this.#shown = sessionTab;
    this.#open = TAB_STREAMS.of(sessionTab).open({
      ...this.request,
      quality: this.#quality,
      onShown: () => this.presence?.shownChanged(),
    });
    this.#stopHeartbeat = sessionTab.tab.hangMonitor.want();
    this.presence?.show(sessionTab.tab.id, this.#open);
  }

  #lost(): void {
    this.#close();
    this.#shown = 'nothing';
    this.request.status({ stream: this.request.stream, tab: '', state: 'lost', reason: 'There is no tab to show.' });
    this.presence?.show(undefined);
  }

  #close(): void {
    this.#stopHeartbeat?.();
    this.#stopHeartbeat = undefined;
    this.#quality = this.#open?.quality ?? this.#quality;
    this.#open?.close();
    this.#open = undefined;
  }
}

import { BoundedMap } from '@/lib/async/bounded-map';
import type { ChildTargetView } from '@/lib/buffers/child-target';
import type { EventParams } from '@/server/cdp/shapes/read';
import type { CdpSession } from '@/server/cdp/session';
import type { ChildTarget } from '../frames/child-targets';
import type { TabFrames } from '../frames/tab-frames';
import { shownUrl } from './request-facts';

/** Most frames whose latest document is remembered. */
const MAX_FRAMES = 500;

/** The places in a tab from which entries of its buffers come. */
export class LogSources {
  /** The document that was last requested, by frame: the events lane knows it before the frame does anything. */
  readonly #asked = new BoundedMap<string, string>(MAX_FRAMES);

  constructor(private readonly frames: TabFrames) {}

  /** The place of a session; without `childTarget` the page itself. */
  of(session: CdpSession, childTarget?: ChildTarget): LogSource {
    session.on('Network.requestWillBeSent', (event) => this.#note(event));
    return new LogSource(session, this, childTarget);
  }

  urlOf(frameId: string): string {
    return this.#asked.get(frameId) ?? this.frames.of(frameId)?.url ?? '';
  }

  /** Whether a worker has a session of its own, which reports its console. */
  hears(workerId: string): boolean {
    return this.frames.childTargets.list().some(({ targetId }) => targetId === workerId);
  }

  #note({ type, frameId, documentURL }: EventParams<'Network.requestWillBeSent'>): void {
    if (type !== 'Document' || frameId === undefined) return;
    this.#asked.set(frameId, documentURL);
  }
}

/** The part of a tab that one session belongs to. */
export class LogSource {
  constructor(
    private readonly session: CdpSession,
    private readonly places: LogSources,
    private readonly childTarget: ChildTarget | undefined,
  ) {}

  /** The frame or worker as it is now; undefined for the page itself. */
  get view(): ChildTargetView | undefined {
    if (!this.childTarget) return undefined;
    const { kind, url, targetId } = this.childTarget;
    return { kind, url: shownUrl(kind === 'frame' ? this.places.urlOf(targetId) : url) };
  }

  /**
   * The part of the tab that a request is for. A frame's document is known before the frame shows it; the script of a
   * worker is requested by a frame.
   */
  ofRequest({ frameId, loaderId, documentURL }: EventParams<'Network.requestWillBeSent'>): ChildTargetView | undefined {
    const inside =
      frameId !== undefined &&
      (this.childTarget?.kind === 'frame' || (!this.childTarget && frameId !== this.session.targetId));
    return inside
      ? { kind: 'frame', url: shownUrl(loaderId === '' ? this.places.urlOf(frameId) : documentURL) }
      : this.view;
  }

  /**
   * Whether the entry is also reported on the worker's own session: Chrome reports the output of workers to their page
   * too.
   */
  isTwice({ workerId }: EventParams<'Log.entryAdded'>['entry']): boolean {
    return workerId !== undefined && this.places.hears(workerId);
  }
}

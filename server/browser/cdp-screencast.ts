import type { CdpSession } from '@/server/cdp/session';
import type { EventParams } from '@/server/cdp/shapes/read';

export type ScreencastFrame = EventParams<'Page.screencastFrame'>;

/** The format for Page.startScreencast. `maxWidth` in pixels, undefined for the page's own size; `quality` 0 to 100. */
export interface ScreencastFormat {
  readonly maxWidth: number | undefined;
  readonly quality: number;
}

/** Attaches and detaches sessions of one target on the pictures lane. */
export interface PictureSessions {
  attach(): Promise<CdpSession>;
  detach(session: CdpSession): Promise<void>;
}

/**
 * One screencast on its own session. Counts unacknowledged frames; the caller decides when to acknowledge. Source:
 * Page.startScreencast.
 */
export class CdpScreencast {
  readonly #unacknowledged: number[] = [];
  readonly #off: () => void;

  constructor(
    readonly session: CdpSession,
    private readonly format: ScreencastFormat,
    onFrame: (frame: ScreencastFrame) => void,
  ) {
    this.#off = session.on('Page.screencastFrame', (frame) => {
      this.#unacknowledged.push(frame.sessionId);
      onFrame(frame);
    });
  }

  /** Frames may arrive before this resolves. Throws CdpError, BROWSER_DOWN, TAB_NOT_FOUND. */
  async start(): Promise<void> {
    const { maxWidth, quality } = this.format;
    await this.session.send('Page.startScreencast', {
      format: 'jpeg',
      quality,
      ...(maxWidth === undefined ? {} : { maxWidth }),
    });
  }

  /** The number of frames sent and not yet acknowledged. */
  get outstanding(): number {
    return this.#unacknowledged.length;
  }

  /** Acknowledges the oldest `count` pictures. */
  acknowledge(count: number): void {
    for (const sessionId of this.#unacknowledged.splice(0, count)) {
      void this.session.sendMayFail('Page.screencastFrameAck', { sessionId });
    }
  }

  async stop(): Promise<void> {
    this.#off();
    await this.session.sendMayFail('Page.stopScreencast');
  }
}

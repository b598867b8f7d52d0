import type { EventParams } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';

export type ScreencastFrame = EventParams<'Page.screencastFrame'>;

/** What Chrome is asked for. `maxWidth` in pixels, undefined for the page's own size; `quality` 0 to 100. */
export interface CastFormat {
  readonly maxWidth: number | undefined;
  readonly quality: number;
}

/** Opens and ends sessions on the pictures lane for one target. */
export interface PictureSessions {
  attach(): Promise<CdpSession>;
  detach(session: CdpSession): Promise<void>;
}

/**
 * One screencast on a session of its own. Knows what Chrome waits for, decides nothing. Source: Page.startScreencast.
 */
export class Cast {
  readonly #unacknowledged: number[] = [];
  readonly #off: () => void;

  constructor(
    readonly session: CdpSession,
    private readonly format: CastFormat,
    onFrame: (frame: ScreencastFrame) => void,
  ) {
    this.#off = session.on('Page.screencastFrame', (frame) => {
      this.#unacknowledged.push(frame.sessionId);
      onFrame(frame);
    });
  }

  /** Frames may come before this resolves. Throws CdpError, BROWSER_DOWN, TAB_NOT_FOUND. */
  async start(): Promise<void> {
    const { maxWidth, quality } = this.format;
    await this.session.send('Page.startScreencast', {
      format: 'jpeg',
      quality,
      ...(maxWidth === undefined ? {} : { maxWidth }),
    });
  }

  /** Pictures that Chrome has sent and that are not acknowledged yet. */
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

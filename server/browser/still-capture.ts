import { Deferred } from '@/lib/async/deferred';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import { CdpScreencast, type ScreencastFormat, type ScreencastFrame, type PictureSessions } from './cdp-screencast';

const STILL_MS = 3_000;

/**
 * Takes single sharp pictures (FR3) as the first frame of a short second screencast. `Page.captureScreenshot` would
 * make the running screencast send another frame (measured on Chromium 156), which counts as motion and triggers the
 * next screenshot. A second screencast does not, is as fast, and includes size and scroll.
 */
export class StillCapture {
  #session: Promise<CdpSession> | undefined;

  constructor(
    private readonly sessions: PictureSessions,
    private readonly format: ScreencastFormat,
    private readonly clock: Clock,
  ) {}

  /** Takes one picture of the present page; undefined when Chrome gives none. One call at a time. */
  async take(): Promise<ScreencastFrame | undefined> {
    try {
      this.#session ??= this.sessions.attach();
      return await this.#shoot(await this.#session);
    } catch {
      // The tab or Chrome is going away, which the running screencast reports; otherwise the next try gets a new
      // session.
      await this.dispose();
      return undefined;
    }
  }

  async dispose(): Promise<void> {
    const opening = this.#session;
    this.#session = undefined;
    const session = await opening?.catch(() => undefined);
    if (session) await this.sessions.detach(session);
  }

  async #shoot(session: CdpSession): Promise<ScreencastFrame | undefined> {
    const first = new Deferred<ScreencastFrame | undefined>();
    const giveUp = this.clock.after(STILL_MS, () => first.resolve(undefined));
    const off = session.onEnd(() => first.resolve(undefined));
    const screencast = new CdpScreencast(session, this.format, (frame) => first.resolve(frame));
    try {
      await screencast.start();
      return await first.promise;
    } finally {
      giveUp();
      off();
      await screencast.stop();
    }
  }
}

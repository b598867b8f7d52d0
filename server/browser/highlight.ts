import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import type { Write } from './write';

/** How long the frame stays, milliseconds. */
const SHOWN_MS = 2_000;

const FRAME = {
  contentColor: { r: 37, g: 99, b: 235, a: 0.18 },
  borderColor: { r: 37, g: 99, b: 235, a: 0.9 },
  showInfo: false,
} as const;

/**
 * A frame around one element, drawn by Chrome over the page's picture: nothing in the page changes. Source:
 * Overlay.highlightNode.
 */
export class Highlight {
  readonly #timer: Timer;
  #shown: CdpSession | undefined;

  constructor(clock: Clock) {
    this.#timer = new Timer(clock);
  }

  /**
   * Shows it until SHOWN_MS are over or another is shown. `write` writes on `session`, the one that the object id is
   * of.
   */
  async show(write: Write, session: CdpSession, objectId: string): Promise<void> {
    await write('DOM.enable', {});
    await write('Overlay.enable');
    await write('Overlay.highlightNode', { objectId, highlightConfig: FRAME });
    if (this.#shown !== session) void this.#shown?.sendMayFail('Overlay.disable');
    this.#shown = session;
    this.#timer.start(SHOWN_MS, () => void session.sendMayFail('Overlay.disable'));
  }

  dispose(): void {
    this.#timer.stop();
  }
}

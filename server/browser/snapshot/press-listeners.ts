import type { CdpSession } from '@/server/cdp/session';

/**
 * Events by which Chrome calls an element clickable, and some more: one more makes us look again, one less would hide a
 * button.
 */
const PRESS = /^(?:click|dblclick|auxclick|contextmenu|DOMActivate|mouse|pointer|touch|key|drag)/;

/** Object ids that were asked for last. */
const held = new WeakMap<CdpSession, string>();

/**
 * The document that a target shows, as the page's own scripts have it: an object id, good until this is asked again.
 * `document` is a name that no page can give to anything else. CDP: `Runtime.evaluate`.
 */
export async function documentOf(session: CdpSession): Promise<string | undefined> {
  const before = held.get(session);
  if (before !== undefined) void session.sendMayFail('Runtime.releaseObject', { objectId: before });
  const objectId = (await session.sendMayFail('Runtime.evaluate', { expression: 'document' }))?.result.objectId;
  if (objectId !== undefined) held.set(session, objectId);
  return objectId;
}

/**
 * Who listens for presses in one document, asked of Chrome in a fraction of a millisecond and some microseconds a
 * listener, where the DOM pass takes a third of a full reading. Frames and shadow roots are not looked into: with
 * `pierce` this command crashes renderers (docs/chrome-facts.md, Accessibility and DOM).
 */
export class PressListeners {
  #known: string | undefined;

  private constructor(
    private readonly session: CdpSession,
    private readonly document: string,
  ) {}

  /** To be called before the DOM pass is sent, so that what comes later is noticed. `document`: an object id. */
  static async noted(session: CdpSession, document: string): Promise<PressListeners> {
    const listeners = new PressListeners(session, document);
    listeners.#known = await listeners.#ask();
    return listeners;
  }

  /** Whether the same elements listen for the same as when this was asked last. */
  async areSame(): Promise<boolean> {
    const before = this.#known;
    this.#known = await this.#ask();
    return before !== undefined && before === this.#known;
  }

  /** CDP: `DOMDebugger.getEventListeners`. */
  async #ask(): Promise<string | undefined> {
    const answer = await this.session.sendMayFail('DOMDebugger.getEventListeners', {
      objectId: this.document,
      depth: -1,
    });
    return answer?.listeners
      .flatMap(({ type, backendNodeId }) => (PRESS.test(type) ? [`${backendNodeId ?? 0} ${type}`] : []))
      .join();
  }
}

import type { CdpSession } from '@/server/cdp/session';

/**
 * The events by which Chrome calls an element clickable, and some more: an unneeded one costs another look, a missing
 * one would hide a button.
 */
const PRESS = /^(?:click|dblclick|auxclick|contextmenu|DOMActivate|mouse|pointer|touch|key|drag)/;

/** The object id that was requested last, by session. */
const held = new WeakMap<CdpSession, string>();

/**
 * The document of a target in the page's own world: an object id that is valid until the next call. A page cannot
 * redefine the name `document`. CDP: `Runtime.evaluate`.
 */
export async function documentOf(session: CdpSession): Promise<string | undefined> {
  const before = held.get(session);
  if (before !== undefined) void session.sendMayFail('Runtime.releaseObject', { objectId: before });
  const objectId = (await session.sendMayFail('Runtime.evaluate', { expression: 'document' }))?.result.objectId;
  if (objectId !== undefined) held.set(session, objectId);
  return objectId;
}

/**
 * Tells which elements of one document listen for presses. Takes a fraction of a millisecond and some microseconds per
 * listener, where the DOM pass takes a third of a full reading. Does not look into frames and shadow roots: with
 * `pierce` this command crashes renderers (docs/chrome-facts.md, Accessibility and DOM).
 */
export class PressListeners {
  #known: string | undefined;

  private constructor(
    private readonly session: CdpSession,
    private readonly document: string,
  ) {}

  /** Call it before the DOM pass is sent, so that later changes are noticed. `document`: an object id. */
  static async noted(session: CdpSession, document: string): Promise<PressListeners> {
    const listeners = new PressListeners(session, document);
    listeners.#known = await listeners.#ask();
    return listeners;
  }

  /** Whether the same elements listen for the same events as at the last call. */
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

/** A frame of a tab with the document it holds and the target that serves it. */
export interface FrameNode {
  readonly frameId: string;
  /** Undefined for the tab's own frame. */
  readonly parentFrameId: string | undefined;
  /** The tab's own target, or the frame of another process that it stands in. */
  readonly targetId: string;
  /** Empty until its target told it. */
  readonly loaderId: string;
  readonly url: string;
}

/** What a target says of a document that a frame has taken. */
export interface FrameDocument {
  readonly frameId: string;
  readonly parentFrameId: string | undefined;
  readonly loaderId: string;
  readonly url: string;
}

/** More frames than this are not kept; what is in them is served by the tab's own target, as far as it can. */
const MAX_FRAMES = 500;

/**
 * All frames of a tab, whatever process they are in, put together from what each target says of its own. The same frame
 * has one id everywhere, and that of a frame in another process is also its target's. Pure: events in, nodes out.
 */
export class FrameTree {
  readonly #nodes = new Map<string, FrameNode>();

  constructor(
    private readonly mainFrameId: string,
    url: string,
  ) {
    this.#nodes.set(mainFrameId, {
      frameId: mainFrameId,
      parentFrameId: undefined,
      targetId: mainFrameId,
      loaderId: '',
      url,
    });
  }

  get(frameId: string): FrameNode | undefined {
    return this.#nodes.get(frameId);
  }

  /** Each after the one it is in. */
  list(): FrameNode[] {
    const found: FrameNode[] = [];
    const visit = (node: FrameNode): void => {
      found.push(node);
      for (const child of this.#nodes.values()) if (child.parentFrameId === node.frameId) visit(child);
    };
    const main = this.#nodes.get(this.mainFrameId);
    if (main) visit(main);
    return found;
  }

  /** A frame was made, still empty, or came back into its parent's process. Source: Page.frameAttached. */
  attached(targetId: string, frameId: string, parentFrameId: string): void {
    const known = this.#nodes.get(frameId);
    if (known) this.#nodes.set(frameId, { ...known, parentFrameId, targetId });
    else if (this.#nodes.size < MAX_FRAMES)
      this.#nodes.set(frameId, { frameId, parentFrameId, targetId, loaderId: '', url: '' });
  }

  /**
   * A frame has a document. Tells whether it is another than before, and which frames went with the old one. Source:
   * Page.frameNavigated, Page.getFrameTree.
   */
  navigated(
    targetId: string,
    { frameId, loaderId, url, parentFrameId }: FrameDocument,
  ): { readonly replaced: boolean; readonly gone: string[] } {
    const known = this.#nodes.get(frameId);
    if (!known && this.#nodes.size >= MAX_FRAMES) return { replaced: false, gone: [] };
    const replaced = known?.loaderId !== loaderId;
    const gone = known && known.loaderId !== '' && replaced ? this.#dropInside(frameId) : [];
    this.#nodes.set(frameId, {
      frameId,
      parentFrameId: parentFrameId ?? known?.parentFrameId,
      targetId,
      loaderId,
      url,
    });
    return { replaced, gone };
  }

  /** Source: Page.navigatedWithinDocument. */
  moved(frameId: string, url: string): void {
    const known = this.#nodes.get(frameId);
    if (known) this.#nodes.set(frameId, { ...known, url });
  }

  /**
   * A target was made for a frame: what was in it went with the process it left. Gives those frames. Source:
   * Target.attachedToTarget.
   */
  split(targetId: string, parentFrameId: string | undefined): string[] {
    const known = this.#nodes.get(targetId);
    const gone = this.#dropInside(targetId);
    if (known || this.#nodes.size < MAX_FRAMES) {
      this.#nodes.set(targetId, {
        frameId: targetId,
        parentFrameId: parentFrameId ?? known?.parentFrameId,
        targetId,
        loaderId: '',
        url: known?.url ?? '',
      });
    }
    return gone;
  }

  /**
   * Gone from a target: taken out of the page, unless it only moved to a process of its own. Gives the frames that are
   * no more. Source: Page.frameDetached.
   */
  detached(targetId: string, frameId: string, reason: 'remove' | 'swap'): string[] {
    const known = this.#nodes.get(frameId);
    if (known?.targetId !== targetId) return [];
    if (reason === 'remove') return this.#drop(frameId);
    this.#nodes.set(frameId, { ...known, targetId: frameId, loaderId: '' });
    return this.#dropInside(frameId);
  }

  /**
   * A frame's own target ended: it was taken out, or comes back in its parent's process, which then tells of it anew.
   * Source: Target.detachedFromTarget.
   */
  merged(targetId: string): string[] {
    return this.#nodes.get(targetId)?.targetId === targetId ? this.#drop(targetId) : [];
  }

  #drop(frameId: string): string[] {
    const inside = this.#dropInside(frameId);
    return this.#nodes.delete(frameId) ? [frameId, ...inside] : inside;
  }

  #dropInside(frameId: string): string[] {
    const children = [...this.#nodes.values()].filter((node) => node.parentFrameId === frameId);
    return children.flatMap((child) => this.#drop(child.frameId));
  }
}

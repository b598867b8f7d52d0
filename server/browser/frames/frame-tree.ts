/** A frame of a tab with the document it holds and the target that serves it. */
export interface FrameNode {
  readonly frameId: string;
  /** Undefined for the tab's own frame. */
  readonly parentFrameId: string | undefined;
  /** The tab's own target, or the out-of-process frame that serves this one. */
  readonly targetId: string;
  /** Empty until the target reported it. */
  readonly loaderId: string;
  readonly url: string;
}

/** A document that a frame has loaded, as its target reports it. */
export interface FrameDocument {
  readonly frameId: string;
  readonly parentFrameId: string | undefined;
  readonly loaderId: string;
  readonly url: string;
}

/** Most frames that are kept; the content of further ones is served by the tab's own target, as far as it can. */
const MAX_FRAMES = 500;

/**
 * All frames of a tab in all processes, assembled from each target's events. A frame has the same id in every process,
 * and the id of an out-of-process frame is also its target's. Pure: events in, nodes out.
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

  /** All frames, each after its parent. */
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

  /**
   * A frame was inserted, still without a document, or came back into its parent's process. Source: Page.frameAttached.
   */
  attached(targetId: string, frameId: string, parentFrameId: string): void {
    const known = this.#nodes.get(frameId);
    if (known) this.#nodes.set(frameId, { ...known, parentFrameId, targetId });
    else if (this.#nodes.size < MAX_FRAMES)
      this.#nodes.set(frameId, { frameId, parentFrameId, targetId, loaderId: '', url: '' });
  }

  /**
   * A frame loaded a document. Returns whether it replaces another one, and the frames that were removed with that.
   * Source: Page.frameNavigated, Page.getFrameTree.
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
   * A frame got a target of its own: its subframes were in the process that it left. Returns those. Source:
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
   * A target no longer has a frame: it was removed from the page, or moved to a process of its own. Returns the frames
   * that no longer exist. Source: Page.frameDetached.
   */
  detached(targetId: string, frameId: string, reason: 'remove' | 'swap'): string[] {
    const known = this.#nodes.get(frameId);
    if (known?.targetId !== targetId) return [];
    if (reason === 'remove') return this.#drop(frameId);
    this.#nodes.set(frameId, { ...known, targetId: frameId, loaderId: '' });
    return this.#dropInside(frameId);
  }

  /**
   * A frame's own target ended: the frame was removed, or comes back in its parent's process, which then reports it
   * anew. Source: Target.detachedFromTarget.
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

import { canonicalRef, type NodeTarget } from '@/lib/actions/shared';
import { WheelhouseError } from '@/lib/errors/error';

/** What a ref identifies (SN4): target, frame, document and node; role, name and nth find it again otherwise. */
export interface RefIdentity {
  readonly targetId: string;
  readonly frameId: string;
  readonly loaderId: string;
  readonly backendNodeId: number;
  readonly role: string;
  readonly name: string;
  /** The position among elements of the same role and name in the document, from 0. */
  readonly nth: number;
}

export interface RefEntry extends RefIdentity {
  /** `e12`; unique in the tab across its frames, never reused. */
  readonly ref: string;
}

interface HeldRef {
  readonly entry: RefEntry;
  /** The last build that saw the element. */
  seen: number;
}

interface RefDocument {
  readonly targetId: string;
  readonly frameId: string;
  readonly loaderId: string;
  /** The current ref of each node, by `keyOf`. A node whose role or name changed also has older refs in the table. */
  readonly byNode: Map<number, number>;
}

/** The most entries per tab. Above it, the table drops the oldest that no recent snapshot showed. */
const MAX_ENTRIES = 40_000;
const KEPT_AFTER_SWEEP = 30_000;
/** Replaced documents remembered per frame, to recognize late answers from them. */
const MAX_REPLACED = 20;

/**
 * The refs of one tab. Numbers only grow, so a number up to `lastNumber` that is not in the table is stale; that needs
 * no record and keeps memory bounded.
 */
export class RefTable {
  #next: number;
  /** The first number that this run of the server assigns. */
  readonly #first: number;
  #build = 0;
  readonly #held = new Map<number, HeldRef>();
  readonly #documents = new Map<string, RefDocument>();
  /** The last document used, a cache, because elements come document by document. */
  #latest: RefDocument | undefined;
  readonly #current = new Map<string, string>();
  readonly #replaced = new Map<string, string[]>();

  /** `firstNumber`: one more than the last number that an earlier server assigned in this tab. */
  constructor(options: { readonly firstNumber: number }) {
    this.#first = options.firstNumber;
    this.#next = options.firstNumber;
  }

  /** The last assigned number, stored across restarts. */
  get lastNumber(): number {
    return this.#next - 1;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Returns the element's ref: the same while role and name stay, else a new one. */
  assign(identity: RefIdentity): string {
    const document = this.#documentOf(identity);
    const number = document.byNode.get(keyOf(identity));
    const held = number === undefined ? undefined : this.#held.get(number);
    if (number !== undefined && held?.entry.role === identity.role && held.entry.name === identity.name) {
      if (held.entry.nth === identity.nth) held.seen = this.#build;
      else this.#held.set(number, { entry: { ...held.entry, nth: identity.nth }, seen: this.#build });
      return held.entry.ref;
    }
    return this.#give(document, identity);
  }

  /**
   * Finds a ref in any accepted spelling. Throws REF_UNKNOWN when this tab never assigned it, REF_STALE_DOCUMENT when
   * its document was replaced or the table dropped it.
   */
  lookup(ref: string): RefEntry {
    const number = numberOf(ref);
    const held = this.#held.get(number);
    if (held) return held.entry;
    const shown = ref.slice(0, 20);
    if (!(number >= 1 && number < this.#next)) {
      throw new WheelhouseError('REF_UNKNOWN', `There is no ref "${shown}" in this tab.`, {
        details: { ref: shown, lastRef: `e${this.lastNumber}` },
      });
    }
    const why =
      number < this.#first
        ? `was given before the server was restarted, or the tab was opened again`
        : 'belongs to a page that this tab no longer shows';
    throw new WheelhouseError('REF_STALE_DOCUMENT', `Ref "${shown}" ${why}.`, {
      ...(number < this.#first ? { hint: 'The page may be the same. Take a new snapshot and use a ref from it.' } : {}),
      details: { ref: shown },
    });
  }

  /** Whether `lookup` finds it. */
  knows(ref: string): boolean {
    return this.#held.has(numberOf(ref));
  }

  /** The node of a ref, as an action may name it; undefined for a line of text and for a stale ref. */
  nodeOf(ref: string, ownTarget: string): NodeTarget | undefined {
    const entry = this.#held.get(numberOf(ref))?.entry;
    if (!entry || entry.role === 'text') return undefined;
    const { loaderId, backendNodeId, targetId } = entry;
    return { loaderId, backendNodeId, ...(targetId === ownTarget ? {} : { target: targetId }) };
  }

  /** The current ref of a node in a known document of the frame, used to name an element that covers another. */
  byNode(frameId: string, backendNodeId: number): RefEntry | undefined {
    for (const document of this.#documents.values()) {
      const number = document.frameId === frameId ? document.byNode.get(backendNodeId) : undefined;
      if (number !== undefined) return this.#held.get(number)?.entry;
    }
    return undefined;
  }

  /** Whether an element in another frame has the same role and name. */
  hasNamesake({ role, name, frameId }: RefIdentity): boolean {
    for (const { entry } of this.#held.values())
      if (entry.name === name && entry.role === role && entry.frameId !== frameId) return true;
    return false;
  }

  /**
   * Sets the document of a frame. Refs of its earlier documents become stale; when the frame is the root of its target
   * (their ids are equal), so do the refs of all frames in it.
   */
  documentReplaced(frameId: string, loaderId: string): void {
    if (this.#current.get(frameId) === loaderId) return;
    this.#remember(frameId, loaderId);
    this.#current.set(frameId, loaderId);
    this.#drop(
      (document) => document.loaderId !== loaderId && (document.frameId === frameId || document.targetId === frameId),
    );
  }

  /** Whether an answer read from this document is outdated, because the frame has a later document. */
  isReplaced(frameId: string, loaderId: string): boolean {
    return this.#current.get(frameId) !== loaderId && this.#replaced.get(frameId)?.includes(loaderId) === true;
  }

  /** Begins a build. `frames` are all present frames of the target; refs of other frames become stale. */
  beginBuild(targetId: string, frames: readonly { readonly frameId: string; readonly loaderId: string }[]): void {
    this.#build += 1;
    for (const { frameId, loaderId } of frames) this.documentReplaced(frameId, loaderId);
    const live = new Set(frames.map((frame) => frame.frameId));
    this.#drop((document) => document.targetId === targetId && !live.has(document.frameId));
    for (const document of this.#documents.values()) live.add(document.frameId);
    for (const frameId of this.#current.keys()) {
      if (live.has(frameId)) continue;
      this.#current.delete(frameId);
      this.#replaced.delete(frameId);
    }
  }

  #give(document: RefDocument, identity: RefIdentity): string {
    if (this.#held.size >= MAX_ENTRIES) this.#sweep();
    const number = this.#next;
    this.#next += 1;
    const { targetId, frameId, loaderId, backendNodeId, role, name, nth } = identity;
    const entry: RefEntry = { ref: `e${number}`, targetId, frameId, loaderId, backendNodeId, role, name, nth };
    this.#held.set(number, { entry, seen: this.#build });
    document.byNode.set(keyOf(identity), number);
    return entry.ref;
  }

  #documentOf(identity: RefIdentity): RefDocument {
    if (this.#latest && isOf(identity, this.#latest)) return this.#latest;
    const { targetId, frameId, loaderId } = identity;
    const key = `${targetId} ${frameId} ${loaderId}`;
    const document: RefDocument = this.#documents.get(key) ?? { targetId, frameId, loaderId, byNode: new Map() };
    this.#documents.set(key, document);
    this.#latest = document;
    return document;
  }

  #remember(frameId: string, loaderId: string): void {
    const before = this.#current.get(frameId);
    const replaced = (this.#replaced.get(frameId) ?? []).filter((old) => old !== loaderId);
    this.#replaced.set(frameId, before === undefined ? replaced : [...replaced, before].slice(-MAX_REPLACED));
  }

  #drop(isGone: (document: RefDocument) => boolean): void {
    const gone = [...this.#documents].filter(([, document]) => isGone(document));
    if (gone.length === 0) return;
    for (const [key] of gone) this.#documents.delete(key);
    this.#latest = undefined;
    for (const [number, { entry }] of this.#held) {
      if (gone.some(([, document]) => isOf(entry, document))) this.#held.delete(number);
    }
  }

  /** Drops the oldest entries that the running build has not seen, or simply the oldest when it has seen all. */
  #sweep(): void {
    for (const unseenOnly of [true, false]) {
      for (const [number, { entry, seen }] of this.#held) {
        if (this.#held.size <= KEPT_AFTER_SWEEP) return;
        if (unseenOnly && seen === this.#build) continue;
        this.#held.delete(number);
        const document = this.#documentOf(entry);
        if (document.byNode.get(keyOf(entry)) === number) document.byNode.delete(keyOf(entry));
      }
    }
  }
}

function numberOf(ref: string): number {
  return Number(canonicalRef(ref)?.slice(1) ?? Number.NaN);
}

/** The key of a node. Style sheet text has the backend id of its element, which has a ref of its own. */
function keyOf({ role, backendNodeId }: RefIdentity): number {
  return role === 'text' ? -backendNodeId : backendNodeId;
}

function isOf(entry: RefIdentity, document: RefDocument): boolean {
  return (
    entry.targetId === document.targetId && entry.frameId === document.frameId && entry.loaderId === document.loaderId
  );
}

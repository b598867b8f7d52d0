import type { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { CdpError } from '@/server/cdp/protocol';
import type { DomNode, Frame, FrameTree } from '@/server/cdp/shapes/objects';
import type { Result } from '@/server/cdp/shapes/read';
import { scriptResult } from '@/server/cdp/script-result';
import type { CdpSession } from '@/server/cdp/session';
import type { FencedSession, Write } from '../write';
import { INJECTED_SOURCE, type InjectedScript } from './page/injected-script';

/** An argument of a page-side helper: plain JSON, or an element by its object id. */
export type InjectedArgument = { readonly value: unknown } | { readonly objectId: string };

/** Names one helper: part of the injected script and method. */
export interface InjectedCall {
  readonly part: string;
  readonly method: string;
  readonly args: readonly InjectedArgument[];
}

export function injectedCall<P extends keyof InjectedScript>(
  part: P,
  method: keyof InjectedScript[P] & string,
  ...args: InjectedArgument[]
): InjectedCall {
  return { part, method, args };
}

const INVOKE = 'function (part, method, ...args) { return this[part][method](...args); }';

/** Thrown when the document of a world is gone; a caller that holds one of its objects looks that object up again. */
export class DocumentGone extends Error {
  override readonly name = 'DocumentGone';
}

/**
 * Our isolated world in one document (CDP Page.createIsolatedWorld), with the injected script in it. It dies with the
 * document: an object id names its process and world, so a call meant for an old document can never reach a new one,
 * even when Chrome reuses numbers.
 */
export class PageWorld {
  /** Whether something in this document was typed privately; texts about its elements are then checked first (CO8). */
  hides = false;

  private constructor(
    /** The session on the commands lane of the target that serves the frame. */
    readonly session: CdpSession,
    readonly frameId: string,
    readonly loaderId: string,
    readonly contextId: number,
    private readonly injectedId: string,
  ) {}

  /**
   * Makes the world in the document that a frame shows now. Does not change the page, so it is not fenced. A page that
   * hangs does not answer, so the caller races this with its budget.
   */
  static async open(session: CdpSession, frameId: string): Promise<PageWorld> {
    const made = await gone(
      session.send('Page.createIsolatedWorld', { frameId, worldName: 'wheelhouse', grantUniveralAccess: true }),
    );
    const injected = session.send('Runtime.evaluate', {
      expression: INJECTED_SOURCE,
      contextId: made.executionContextId,
    });
    const tree = session.send('Page.getFrameTree');
    const [{ result }, { frameTree }] = await gone(Promise.all([injected, tree]));
    const frame = findFrame(frameTree, frameId);
    if (result.objectId === undefined || !frame) throw new DocumentGone(`Frame ${frameId} went away.`);
    return new PageWorld(session, frameId, frame.loaderId, made.executionContextId, result.objectId);
  }

  /** Calls a helper and parses its result. With `write` the call is fenced, for helpers that change the page. */
  async call<T>(budget: Budget, schema: z.ZodType<T>, what: InjectedCall, write?: FencedSession): Promise<T> {
    const answer = await this.#invoke(budget, what, write ? write.on(this.session) : this.#read, true);
    return scriptResult(schema, answer.result.value);
  }

  /** Calls a helper that returns an element; undefined when it returns none. */
  async pick(budget: Budget, what: InjectedCall): Promise<string | undefined> {
    const answer = await this.#invoke(budget, what, this.#read, false);
    return answer.result.objectId;
  }

  /** The object id of a node in this world. Throws NODE_GONE when the document has no such node. */
  async resolve(budget: Budget, backendNodeId: number): Promise<string> {
    try {
      const { object } = await gone(
        budget.race(this.session.send('DOM.resolveNode', { backendNodeId, executionContextId: this.contextId })),
      );
      if (object.objectId !== undefined) return object.objectId;
    } catch (error) {
      if (!(error instanceof CdpError) || !NO_NODE.test(error.detail)) throw error;
    }
    throw new WheelhouseError('NODE_GONE', 'That element is no longer in the page.');
  }

  /**
   * Whether a held node belongs to this world's document: Chrome also resolves nodes of a subframe in the page's world
   * (Chromium 156).
   */
  async owns(budget: Budget, objectId: string): Promise<boolean> {
    const functionDeclaration = 'function () { return this.ownerDocument === document; }';
    const asked = this.session.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true });
    return (await gone(budget.race(asked))).result.value === true;
  }

  /** The DOM node of a held element. Throws DocumentGone. Source: DOM.describeNode. */
  async node(budget: Budget, objectId: string): Promise<DomNode> {
    return (await gone(budget.race(this.session.send('DOM.describeNode', { objectId })))).node;
  }

  release(objectId: string): void {
    // The document may be gone already, and its objects with it.
    this.session.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
  }

  readonly #read: Write = (method, ...params) => this.session.send(method, ...params);

  async #invoke(
    budget: Budget,
    what: InjectedCall,
    send: Write,
    returnByValue: boolean,
  ): Promise<Result<'Runtime.callFunctionOn'>> {
    const params = {
      objectId: this.injectedId,
      functionDeclaration: INVOKE,
      arguments: [{ value: what.part }, { value: what.method }, ...what.args],
      awaitPromise: true,
      returnByValue,
    };
    const answer = await gone(budget.race(send('Runtime.callFunctionOn', params)));
    if (!answer.exceptionDetails) return answer;
    const said = answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text;
    throw new WheelhouseError('INTERNAL', `The page helper ${what.part}.${what.method} failed.`, {
      cause: new Error(said),
    });
  }
}

/** Chrome's errors for a missing node; after any other error the element may still be there. */
const NO_NODE = /no node|node with given id|find node/i;

const GONE = /context|navigated|closed|could not find object|no frame|frame .* not|remote object|detached/i;

/** Turns Chrome's various errors for a replaced document into DocumentGone. */
async function gone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CdpError && GONE.test(error.detail)) throw new DocumentGone(error.detail, { cause: error });
    // The session of a frame in another process ended with that frame.
    if (error instanceof WheelhouseError && error.code === 'NODE_GONE')
      throw new DocumentGone(error.message, { cause: error });
    throw error;
  }
}

function findFrame(tree: FrameTree, frameId: string): Frame | undefined {
  if (tree.frame.id === frameId) return tree.frame;
  for (const child of tree.childFrames ?? []) {
    const found = findFrame(child, frameId);
    if (found) return found;
  }
  return undefined;
}

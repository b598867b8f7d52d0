import type { Budget } from '@/lib/budget/budget';
import { CdpError } from '../protocol';
import type { Result } from '../shapes/read';
import type { CdpSession } from '@/server/cdp/session';
import { SERIALIZE_SOURCE } from './serialize';

/** Object ids in one document: the packer, which serializes results, and the page's global object. */
interface Handles {
  readonly packer: string;
  readonly global: string;
}

/** Chrome's errors when a document and its objects are gone; nothing of the script has run then (Chromium 156). */
const GONE = /Cannot find context|Could not find object|should belong to the same JavaScript world/i;

/**
 * The packer of results, put into a document once: sending and compiling it with every script costs a quarter of the
 * round trip. It stays in our hands, out of the page's reach. Source: Runtime.callFunctionOn.
 */
export class Packer {
  #handles: Promise<Handles> | undefined;

  constructor(private readonly session: CdpSession) {}

  /**
   * Calls a function made by `pageFunction`; puts the packer into a new document first. `gesture`: report a user
   * gesture to the page. Throws what the budget throws: a script whose caller has been answered is not started.
   */
  async call(budget: Budget, functionDeclaration: string, gesture: boolean): Promise<Result<'Runtime.callFunctionOn'>> {
    try {
      return await this.#call(budget, functionDeclaration, gesture);
    } catch (error) {
      if (!(error instanceof CdpError) || !GONE.test(error.detail)) throw error;
      this.#handles = undefined;
      return this.#call(budget, functionDeclaration, gesture);
    }
  }

  async #call(
    budget: Budget,
    functionDeclaration: string,
    userGesture: boolean,
  ): Promise<Result<'Runtime.callFunctionOn'>> {
    this.#handles ??= this.#install();
    const { packer, global } = await this.#handles;
    budget.check();
    return this.session.send('Runtime.callFunctionOn', {
      objectId: global,
      functionDeclaration,
      arguments: [{ objectId: packer }],
      awaitPromise: true,
      returnByValue: true,
      userGesture,
    });
  }

  async #install(): Promise<Handles> {
    try {
      const [packer, global] = await Promise.all(
        [SERIALIZE_SOURCE, 'globalThis'].map((expression) => this.session.send('Runtime.evaluate', { expression })),
      );
      return { packer: packer?.result.objectId ?? '', global: global?.result.objectId ?? '' };
    } catch (error) {
      this.#handles = undefined;
      throw error;
    }
  }
}

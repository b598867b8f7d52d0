import type { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import type { Reply } from '@/lib/actions/reply';
import type { CdpSession } from '@/server/cdp/session';
import type { FencedSession, Write } from '../write';
import type { InjectedScript } from './page/injected-script';
import { injectedCall, type InjectedArgument, type PageWorld } from './world';

/** How the element is named to people and on the timeline. */
export interface ElementInfo {
  readonly ref?: string;
  readonly role: string;
  readonly name: string;
}

/** One element held for the length of an action. Release it afterwards: a held one keeps its document's memory. */
export class PageElement {
  constructor(
    readonly world: PageWorld,
    readonly objectId: string,
    readonly about: ElementInfo,
    readonly via: NonNullable<Reply['via']>,
    /** The text node inside the element that the target names; a press goes to the text's place. */
    readonly text?: string,
  ) {}

  /** The session on the commands lane of the target that serves the frame: the object id is valid there only. */
  get session(): CdpSession {
    return this.world.session;
  }

  /** The fenced session of its target. */
  fenced(write: FencedSession): Write {
    return write.on(this.session);
  }

  /** Asks a page helper about this element: its first argument is the element. */
  ask<T, P extends keyof InjectedScript>(
    budget: Budget,
    schema: z.ZodType<T>,
    part: P,
    method: keyof InjectedScript[P] & string,
    ...args: InjectedArgument[]
  ): Promise<T> {
    return this.world.call(budget, schema, injectedCall(part, method, { objectId: this.objectId }, ...args));
  }

  /** Lets a page helper change this element, fenced (CO2). */
  change<T, P extends keyof InjectedScript>(
    budget: Budget,
    write: FencedSession,
    schema: z.ZodType<T>,
    part: P,
    method: keyof InjectedScript[P] & string,
    ...args: InjectedArgument[]
  ): Promise<T> {
    return this.world.call(budget, schema, injectedCall(part, method, { objectId: this.objectId }, ...args), write);
  }

  /** Another element that a helper finds from this one; undefined when it finds none. */
  async other<P extends keyof InjectedScript>(
    budget: Budget,
    part: P,
    method: keyof InjectedScript[P] & string,
    ...args: InjectedArgument[]
  ): Promise<PageElement | undefined> {
    const objectId = await this.world.pick(budget, injectedCall(part, method, { objectId: this.objectId }, ...args));
    return objectId === undefined ? undefined : new PageElement(this.world, objectId, this.about, this.via);
  }

  /** The element's name in error messages: `button "Buy"`. */
  get title(): string {
    const { role, name, ref } = this.about;
    return `${ref === undefined ? '' : `[${ref}] `}${role}${name === '' ? '' : ` ${JSON.stringify(name)}`}`;
  }

  release(): void {
    this.world.release(this.objectId);
    if (this.text !== undefined) this.world.release(this.text);
  }
}

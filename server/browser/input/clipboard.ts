import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { inFocusedWorld } from '../target/focused-world';
import { DocumentGone, injectedCall, type PageWorld } from '../target/world';
import type { IsolatedWorlds } from '../target/isolated-worlds';
import type { FencedSession } from '../write';
import type { InputDelivery } from './gesture';

/**
 * The clipboard of one session. Chrome's own is shared by all its contexts, and is never used to carry anything (SE6).
 */
export interface ClipboardHook {
  copy(text: string): void;
  paste(): string;
}

/** A clipboard in memory, for one session. */
export class SessionClipboard implements ClipboardHook {
  #text = '';

  copy(text: string): void {
    this.#text = text;
  }

  paste(): string {
    return this.#text;
  }
}

const copied = z.object({ text: z.string() });

/**
 * Copies out of, and pastes into, the focused part of a tab. Pages get their copy, cut and paste events with our data.
 */
export class TabClipboard {
  constructor(
    private readonly worlds: IsolatedWorlds,
    private readonly frameId: () => string,
  ) {}

  /** Presses a key; returns whether the focused part of the page left it to the browser. */
  async key(
    budget: Budget,
    press: () => Promise<InputDelivery>,
  ): Promise<{ readonly landed: InputDelivery; readonly left: boolean }> {
    return inFocusedWorld(budget, this.worlds, this.frameId(), async (world) => {
      await world.call(budget, z.null(), injectedCall('clipboard', 'listen'));
      const landed = await press();
      return { landed, left: landed === 'done' && (await this.#wasLeft(budget, world)) };
    });
  }

  /** Whether the page left the key to the browser; false for a page that the key navigated away. */
  async #wasLeft(budget: Budget, world: PageWorld): Promise<boolean> {
    try {
      return await world.call(budget, z.boolean(), injectedCall('clipboard', 'wasLeft'));
    } catch (error) {
      if (error instanceof DocumentGone) return false;
      throw error;
    }
  }

  /** The selected text; `cut` deletes it as well. Fenced, since the page's handlers run. */
  async selection(write: FencedSession, budget: Budget, cut: boolean): Promise<string> {
    const call = injectedCall('clipboard', 'copy', { value: cut });
    const { text } = await inFocusedWorld(budget, this.worlds, this.frameId(), (world) =>
      world.call(budget, copied, call, write),
    );
    return text;
  }

  /** Inserts text where the focus is, as one paste: first by the page's handlers, then by Input.insertText. */
  async paste(write: FencedSession, budget: Budget, text: string): Promise<void> {
    if (text === '') return;
    const call = injectedCall('clipboard', 'paste', { value: text });
    const ours = await inFocusedWorld(budget, this.worlds, this.frameId(), (world) =>
      world.call(budget, z.boolean(), call, write),
    );
    if (ours) await budget.race(write('Input.insertText', { text }));
  }
}

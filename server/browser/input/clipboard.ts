import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { keyByCode } from '@/lib/input/keys';
import { inFocusedWorld } from '../target/focused-world';
import { kitCall } from '../target/world';
import type { Worlds } from '../target/worlds';
import type { Pen } from '../write';
import type { Keyboard } from './keyboard';

/** The clipboard of one session: Chrome's own is shared by all its contexts and is never used to carry anything (SE6). */
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

const copied = z.object({ text: z.string(), handled: z.boolean(), editable: z.boolean() });

/** Copying out of and pasting into the focused part of a tab. Pages get their copy, cut and paste events with our data. */
export class TabClipboard {
  constructor(
    private readonly worlds: Worlds,
    private readonly frameId: () => string,
    private readonly keyboard: Keyboard,
  ) {}

  /** What is selected; with `cut` it is deleted as well, by a real Delete key. Fenced: the page's handlers run. */
  async selection(write: Pen, budget: Budget, cut: boolean): Promise<string> {
    const call = kitCall('clipboard', 'copy', { value: cut });
    const { text, handled, editable } = await inFocusedWorld(budget, this.worlds, this.frameId(), (world) => world.call(budget, copied, call, write));
    const key = keyByCode('Delete');
    if (cut && !handled && editable && text !== '' && key) await this.keyboard.press(write, budget, { modifiers: [], key });
    return text;
  }

  /** Inserts text where the focus is, as one paste: the page's handlers first, then Input.insertText. */
  async paste(write: Pen, budget: Budget, text: string): Promise<void> {
    if (text === '') return;
    const call = kitCall('clipboard', 'paste', { value: text });
    const ours = await inFocusedWorld(budget, this.worlds, this.frameId(), (world) => world.call(budget, z.boolean(), call, write));
    if (ours) await budget.race(write('Input.insertText', { text }));
  }
}

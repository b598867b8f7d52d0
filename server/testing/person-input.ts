import type { InputEvent } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import type { Session } from '@/server/session/session';
import { PICTURES } from '@/server/session/feature-slots';
import { ask, type Client } from './socket-client';

/** Sends a person's raw input to a session by socket, as the interface does. Throws on a refusal. */
export class PersonInput {
  constructor(
    private readonly client: Client,
    private readonly session: Session,
    private readonly tab = 't1',
  ) {}

  /** Sends one event; returns the popup that the cockpit would draw for it (DI3). */
  async send(event: InputEvent): Promise<PopupView | undefined> {
    const { registry, id, leases } = this.session;
    const geometry = PICTURES.of(registry.find(this.tab)).geometry;
    const answer = await ask(this.client, 'input', {
      session: id,
      tab: this.tab,
      epoch: leases.lease(registry.find(this.tab).tab.id)?.epoch ?? 0,
      geometry,
      event,
    });
    if (!answer.ok) throw new Error(`${event.type} was refused: ${answer.error.code} ${answer.error.message}`);
    return answer.data.popup;
  }

  async click(x: number, y: number, clickCount = 1): Promise<PopupView | undefined> {
    const press = { x, y, button: 'left', clickCount, modifiers: 0 } as const;
    const before = await this.send({ type: 'down', ...press, buttons: 1 });
    const after = await this.send({ type: 'up', ...press, buttons: 0 });
    return before ?? after;
  }

  async drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const press = { button: 'left', clickCount: 1, modifiers: 0 } as const;
    await this.send({ type: 'down', x: from[0], y: from[1], ...press, buttons: 1 });
    await this.send({ type: 'move', x: to[0], y: to[1], buttons: 1, modifiers: 0 });
    await this.send({ type: 'up', x: to[0], y: to[1], ...press, buttons: 0 });
  }

  async key(key: string, modifiers = 0): Promise<void> {
    const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
    for (const type of ['keydown', 'keyup'] as const)
      await this.send({ type, key, code, location: 0, repeat: false, modifiers });
  }

  async keys(text: string): Promise<void> {
    for (const key of text) await this.key(key);
  }
}

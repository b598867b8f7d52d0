import type { Reply } from '@/lib/actions/reply';
import type { TestServer } from '@/server/testing/server';

/** `nth`: which of the matches, from 0, or from the end when negative; 0 by default. */
type Named = readonly [role: string, name: string | RegExp, nth?: number];

const MOST_LOOKS = 8;

/** One agent on one page, by the HTTP contract alone: reads the page, and acts by the refs that it has read. */
export class Journey {
  private constructor(
    private readonly server: TestServer,
    private readonly session: string,
  ) {}

  static async at(server: TestServer, url: string): Promise<Journey> {
    const { id } = await server.session(url);
    return new Journey(server, id);
  }

  /** Acts on the element that a new snapshot shows with this role and name. Throws the reply's error when it failed. */
  async on(kind: string, named: Named, more: object = {}): Promise<Reply> {
    return this.act({ kind, ref: await this.ref(named), ...more });
  }

  async drag(from: Named, to: object): Promise<void> {
    await this.act({ kind: 'drag', from: { ref: await this.ref(from) }, to });
  }

  /** Reads the page until it shows the element, as an agent does on a page that is still loading. */
  private async ref([role, name, nth = 0]: Named): Promise<string> {
    for (let look = 1; ; look += 1) {
      const { refs, text } = await this.server.snapshot(this.session);
      const found = refs
        .filter(
          (entry) => entry.role === role && (typeof name === 'string' ? entry.name === name : name.test(entry.name)),
        )
        .at(nth);
      if (found) return found.ref;
      if (look === MOST_LOOKS) throw new Error(`No ${role} ${String(name)} in:\n${text}`);
      await this.act({ kind: 'wait', stable: { quietMs: 300 } });
    }
  }

  /**
   * An element without a name that is drawn beside a text: the nearest of this role after the text, or the nth (from
   * 1); before it when negative.
   */
  async drawn(role: string, beside: string, nth = 1): Promise<{ ref: string }> {
    const lines = (await this.text()).split('\n');
    const at = lines.findIndex((line) => line.trim() === `- text "${beside}"`);
    const side = nth > 0 ? lines.slice(at + 1) : lines.slice(0, Math.max(at, 0)).reverse();
    const found = side.filter((line) => line.trim().startsWith(`- ${role} `))[Math.abs(nth) - 1];
    const ref = /\[ref=(\w+)\]/.exec(found ?? '')?.[1];
    if (at < 0 || ref === undefined) throw new Error(`No ${role} beside ${beside} in:\n${lines.join('\n')}`);
    return { ref };
  }

  async act(action: object): Promise<Reply> {
    const reply = await this.server.act(this.session, action);
    if (reply.ok) return reply;
    throw new Error(`${JSON.stringify(action)}: ${JSON.stringify(reply.error)}\n${await this.text()}`);
  }

  /** Waits until the page shows this text, inside the action's budget. */
  async shows(text: string): Promise<void> {
    await this.act({ kind: 'wait', text, timeoutMs: 10_000 });
  }

  async text(query = ''): Promise<string> {
    return (await this.server.snapshot(this.session, `refs=1${query}`)).text;
  }

  /** Reads the page's own state, to check effects; never to find the way. */
  async page(fn: string): Promise<unknown> {
    return (await this.act({ kind: 'evaluate', fn })).value;
  }
}

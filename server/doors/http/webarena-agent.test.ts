import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startDemoSite, type DemoSite } from '@/server/demo/site';
import { sharedTestServer, type TestServer } from '@/server/testing/server';

/**
 * An agent like WebArena's: it reads numbered lines of the part in view, and answers with one step between two
 * splitters. It uses only HTTP.
 */
let server: TestServer;
let shop: DemoSite;
beforeAll(async () => {
  [server, shop] = await Promise.all([
    sharedTestServer(),
    startDemoSite({ now: () => new Date('2026-11-20T10:00:00Z') }),
  ]);
});
afterAll(async () => {
  await shop.close();
  await server.close();
});

const seenSchema = z.object({ status: z.literal(200), body: z.object({ text: z.string() }) });
const doneSchema = z.object({
  body: z.object({
    parsed: z.object({ rule: z.string() }),
    reply: z.object({ ok: z.boolean(), error: z.unknown().optional() }),
    result: z.object({ answer: z.string().nullable() }),
  }),
});

class Agent {
  /** Every line that was read and had no number. */
  readonly unnumbered: string[] = [];

  constructor(private readonly tab: string) {}

  async look(): Promise<string> {
    const { text } = seenSchema.parse(await server.api('GET', `${this.tab}/snapshot?view=webarena`)).body;
    this.unnumbered.push(
      ...text
        .split('\n')
        .slice(2)
        .filter((line) => !/^\t*\[\d+\] \w+ ['"]/.test(line)),
    );
    return text;
  }

  /** One step, as a model writes it down. */
  async does(step: string): Promise<string | null> {
    const { parsed, reply, result } = doneSchema.parse(
      await server.api('POST', `${this.tab}/steps`, {
        text: `I see it. Not \`go_back\`, but %%${step}%%`,
        splitter: '%%',
      }),
    ).body;
    expect([step, parsed.rule, reply.ok, reply.error]).toEqual([step, 'splitter', true, undefined]);
    return result.answer;
  }

  /** The number of a line that begins so; scrolls until it is in view. */
  async number(role: string, name: string): Promise<string> {
    for (const way of [...Array<string>(5).fill('down'), ...Array<string>(6).fill('up')]) {
      const line = (await this.look())
        .split('\n')
        .find((one) => one.replace(/^\t*\[\d+\] /, '').startsWith(`${role} '${name}`));
      if (line !== undefined) return /\[(\d+)\]/.exec(line)?.[1] ?? '';
      await this.does(`scroll [${way}]`);
    }
    throw new Error(`There is no ${role} '${name}' in:\n${await this.look()}`);
  }

  async click(role: string, name: string): Promise<void> {
    await this.does(`click [${await this.number(role, name)}]`);
  }

  async type(name: string, text: string): Promise<void> {
    await this.does(`type [${await this.number('textbox', name)}] [${text}] [0]`);
  }
}

describe('an agent by the view webarena and by steps', () => {
  it(
    '[SN3][ST1][ST2] buys a plant: by numbers of links, fields and options, of headings and of lines of text',
    { timeout: 120_000 },
    async () => {
      const { id } = await server.session(`${shop.url}/`);
      const agent = new Agent(`/api/v1/sessions/${id}/tabs/active`);
      await agent.click('heading', 'Favourites this week');
      await agent.does(`hover [${await agent.number('StaticText', 'Soft, full and very green')}]`);
      await agent.does(`type [${await agent.number('searchbox', 'Search plants and pots')}] [fern]`);
      await agent.click('StaticText', '£16.50');
      await agent.click('link', 'Boston fern');
      await agent.click('radio', 'Small');
      await agent.click('button', 'Add to cart');
      await agent.does(`goto [${shop.url}/cart]`);
      await agent.click('link', 'Go to checkout');
      await agent.type('Full name', 'Marta Keane');
      await agent.type('Email', 'marta@example.org');
      await agent.type('Street and number', '4 Quay Street');
      await agent.type('Town or city', 'Galway');
      await agent.type('Postcode', 'H91 E9KA');
      await agent.click('option', 'Ireland');
      await agent.click('radio', 'Standard');
      await agent.type('Delivery date', '2026-11-26');
      expect(await agent.number('textbox', "Card number' required: True value: ''")).not.toBe('');
      await agent.type('Card number', '4242 4242 4242 4242');
      await agent.type('Expiry', '12/29');
      await agent.type('Security code', '123');
      expect(await agent.number('textbox', "Card number' required: True value: masked")).not.toBe('');
      await agent.click('checkbox', 'I agree to the terms of sale');
      await agent.click('button', 'Place order');
      const thanks = await agent.look();
      const answer = await agent.does(`stop [${/Order (\S+)/.exec(thanks)?.[1] ?? thanks}]`);

      expect(await (await fetch(`${shop.url}/__effects`)).json()).toMatchObject({ orders: 1, ordersRejected: 0 });
      expect([agent.unnumbered, answer]).toEqual([[], expect.stringMatching(/^\w/)]);
    },
  );
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { z } from 'zod';
import { refused, type AnyAction, type ApiOutcome } from '@/server/demo/testing/api-outcome';
import { actOnPage, takeSnapshot, type DriverSnapshot } from '@/server/demo/testing/page-driver';

/**
 * A stand-in for the HTTP API in tests of the demo agent: the calls and answers of the published pages, over real HTTP
 * and a real Chrome, with none of the product's own code, so that the agent is proved against the contract.
 */
export interface ApiDouble {
  readonly url: string;
  /** Every received action, in order. */
  readonly actions: readonly AnyAction[];
  /** Ids of sessions that were ended by a call. */
  readonly ended: readonly string[];
  /** The page that the agent drives; undefined before it has opened its session. */
  page(): Page | undefined;
  /** Called before each action; an outcome answers the call instead of the page. */
  intercept: (action: AnyAction) => ApiOutcome | undefined;
  /** From now on every action is refused, as while a person drives. */
  take(): void;
  /** Gives the lease back, with a note for the waiting agent. */
  handBack(note: string): void;
  close(): Promise<void>;
}

export const TEST_KEY = 'test-key-of-at-least-24-characters';

const sessionBody = z.object({
  url: z.string(),
  name: z.string(),
  viewport: z.object({ width: z.number(), height: z.number() }),
});
const actionBody = z.looseObject({ kind: z.string() });

interface Desk {
  held: boolean;
  note: string | undefined;
  /** The moment of the last hand-back: its agent reports each once. */
  returnedAt: string;
  waiting: (() => void)[];
}

export async function startApiDouble(browser: Browser): Promise<ApiDouble> {
  const desk: Desk = { held: false, note: undefined, returnedAt: '', waiting: [] };
  const state: { page: Page | undefined; cdp: CDPSession | undefined; shown: DriverSnapshot | undefined } = {
    page: undefined,
    cdp: undefined,
    shown: undefined,
  };
  const actions: AnyAction[] = [];
  const ended: string[] = [];

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });

  async function answer(request: IncomingMessage): Promise<ApiOutcome> {
    if (request.headers.authorization !== `Bearer ${TEST_KEY}`) return refused('UNAUTHENTICATED', 401);
    const url = new URL(request.url ?? '/', 'http://double.invalid');
    const sent = await bodyOf(request);
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /api/v1/sessions':
        return openSession(sessionBody.parse(sent));
      case 'DELETE /api/v1/sessions/s1':
        ended.push('s1');
        return { status: 200, body: {} };
      case 'GET /api/v1/sessions/s1/tabs/active/snapshot':
        return snapshot();
      case 'POST /api/v1/sessions/s1/tabs/active/act':
        return act(actionBody.parse(sent));
      case 'GET /api/v1/sessions/s1/tabs/active/control':
        return {
          status: 200,
          body: {
            state: 'held',
            holder: { id: 'p1', name: desk.held ? 'Mia' : 'buyer-bot', kind: desk.held ? 'human' : 'agent' },
            epoch: 1,
            since: '',
            reason: '',
          },
        };
      case 'POST /api/v1/sessions/s1/tabs/active/control':
        return { status: 200, body: { state: 'free', holder: null } };
      case 'GET /api/v1/sessions/s1/tabs/active/control/wait':
        return wait();
      default:
        return refused('NOT_FOUND', 404);
    }
  }

  async function openSession({ url, viewport }: z.infer<typeof sessionBody>): Promise<ApiOutcome> {
    const context = await browser.createBrowserContext();
    state.page = await context.newPage();
    state.cdp = await state.page.createCDPSession();
    await state.page.setViewport(viewport);
    // Nobody looks: a page that moves would only burden the machine.
    await state.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await state.page.goto(url);
    return { status: 201, body: { id: 's1', name: 'x', state: 'live', tabs: [], links: { view: '/sessions/s1' } } };
  }

  async function snapshot(): Promise<ApiOutcome> {
    if (!state.page || !state.cdp) return refused('NOT_FOUND', 404);
    state.shown = await takeSnapshot(state.page, state.cdp);
    return { status: 200, body: state.shown.answer };
  }

  async function act(action: AnyAction): Promise<ApiOutcome> {
    actions.push(action);
    const early = double.intercept(action);
    if (early) return early;
    if (desk.held) return refused('CONTROL_HELD', 409);
    if (!state.page || !state.cdp || !state.shown) return refused('NOT_FOUND', 404);
    return actOnPage(state.page, state.cdp, state.shown, action);
  }

  async function wait(): Promise<ApiOutcome> {
    if (desk.held) await new Promise<void>((resolve) => desk.waiting.push(resolve));
    const handoff =
      desk.note === undefined
        ? {}
        : {
            handoff: { by: 'Mia', note: desk.note, takenAt: '', returnedAt: desk.returnedAt, url: '', tabs: [] },
          };
    return { status: 200, body: { state: 'held', epoch: 3, ...handoff } };
  }

  const double: ApiDouble = {
    url: await listen(server),
    actions,
    ended,
    page: () => state.page,
    intercept: () => undefined,
    take: () => {
      desk.held = true;
    },
    handBack: (note) => {
      desk.held = false;
      desk.note = note;
      desk.returnedAt = new Date().toISOString();
      desk.waiting.splice(0).forEach((resolve) => resolve());
    },
    close: async () => {
      await state.page?.browserContext().close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return double;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return `http://127.0.0.1:${address.port}`;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}

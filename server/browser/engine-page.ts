import {
  connect,
  TargetType,
  type Browser,
  type ElementHandle,
  type JSHandle,
  type Page,
  type Target,
} from 'puppeteer-core';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Tab } from './tab';

/** The element by what the last snapshot said of it, where its own number leads nowhere. */
export interface NamedElement {
  readonly role: string;
  readonly name: string;
  readonly nth: number;
}

/** The element of a target, by its number in the page's own process, or by what is known of it. */
export type PageNode = { readonly backendNodeId: number } | NamedElement;

/** How long a page may take to show that puppeteer can be let near it; it would hang on a wedged one. Milliseconds. */
const HEALTH_MS = 250;

/**
 * Runs a script by puppeteer, on a connection of its own that ends with the call (EV7). `source` is an expression, or
 * with an element a function whose `this` it is. Throws TAB_UNRESPONSIVE before puppeteer is asked when the page does
 * not answer, NODE_GONE without the element, and what ended the budget. Source: puppeteer `Target.page`, which enables
 * Page, Runtime and Network on one socket (cdp-facts).
 */
export async function runInPage(
  budget: Budget,
  browserUrl: string,
  tab: Pick<Tab, 'targetId' | 'sentinel'>,
  source: string,
  element?: PageNode,
): Promise<unknown> {
  if (!(await budget.race(tab.sentinel.answers(HEALTH_MS))))
    throw new WheelhouseError(
      'TAB_UNRESPONSIVE',
      'The page does not answer, so the engine "page" was not let near it.',
    );
  const browser = await connected(budget, browserUrl, tab.targetId);
  try {
    const page = await budget.during('puppeteer to open the page', () => pageOf(browser, tab.targetId));
    return await budget.during('the script to finish', () =>
      element ? onElement(page, source, element) : page.evaluate(source),
    );
  } finally {
    await browser.disconnect();
  }
}

/**
 * Only this page: every other target is passed over, so that a wedged one cannot hold this up. One that connects too
 * late is let go.
 */
async function connected(budget: Budget, browserWSEndpoint: string, targetId: string): Promise<Browser> {
  const targetFilter = (target: Target): boolean => target.type() !== TargetType.PAGE || idOf(target) === targetId;
  const connecting = connect({ browserWSEndpoint, defaultViewport: null, targetFilter });
  try {
    return await budget.during('puppeteer to connect', () => connecting);
  } catch (error) {
    connecting.then((late) => late.disconnect()).catch(() => undefined);
    throw error;
  }
}

async function pageOf(browser: Browser, targetId: string): Promise<Page> {
  const target = browser.targets().find((one) => idOf(one) === targetId);
  const page = await target?.page();
  if (page) return page;
  throw new WheelhouseError('TAB_NOT_FOUND', 'Puppeteer does not see this tab.');
}

/** Puppeteer keeps the id to itself; there is no other way to know one page from another of the same address. */
function idOf(target: Target): unknown {
  const id: unknown = Reflect.get(target, '_targetId');
  return id;
}

function onElement(page: Page, source: string, element: PageNode): Promise<unknown> {
  return 'role' in element ? onNamed(page, source, element) : onNode(page, source, element.backendNodeId);
}

/**
 * Puppeteer's own session of the page; numbers of nodes are the same for all sessions of a process. Source:
 * DOM.resolveNode, Runtime.callFunctionOn.
 */
async function onNode(page: Page, functionDeclaration: string, backendNodeId: number): Promise<unknown> {
  const session = await page.createCDPSession();
  const { object } = await session.send('DOM.resolveNode', { backendNodeId });
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  });
  const value: unknown = result.value;
  return value;
}

async function onNamed(page: Page, source: string, { role, name, nth }: NamedElement): Promise<unknown> {
  const found: ElementHandle[] = await page.$$(
    `::-p-aria([role=${JSON.stringify(role)}][name=${JSON.stringify(name)}])`,
  );
  const element = found[nth];
  if (!element) throw new WheelhouseError('NODE_GONE', `There is no ${role} "${name}" in the page.`);
  const run: JSHandle<unknown> = await page.evaluateHandle(`(${source})`);
  return page.evaluate(
    (own, self): unknown => {
      const value: unknown = typeof own === 'function' ? Reflect.apply(own, self, []) : undefined;
      return value;
    },
    run,
    element,
  );
}

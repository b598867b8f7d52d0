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

/** Finds the element by its data in the last snapshot when its backend id does not resolve. */
export interface NamedElement {
  readonly role: string;
  readonly name: string;
  readonly nth: number;
}

/** The element of a target, by its backend id or by its data in the snapshot. */
export type PageNode = { readonly backendNodeId: number } | NamedElement;

/** The longest health check before puppeteer attaches, which would hang on a wedged page. Milliseconds. */
const HEALTH_MS = 250;

/**
 * Runs a script by puppeteer on its own connection, which ends with the call (EV7). `source` is an expression, or with
 * an element a function with the element as `this`. Throws TAB_UNRESPONSIVE before it uses puppeteer when the page does
 * not answer, NODE_GONE without the element, and what ended the budget. Source: puppeteer `Target.page`, which enables
 * Page, Runtime and Network on one socket (docs/chrome-facts.md, Identity).
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
      'The page does not answer, so the engine "page" cannot run a script in it.',
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
 * Connects to this page only, so that a wedged other target cannot block it. Disconnects a connection that comes too
 * late.
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

/** Reads puppeteer's private target id, because only the id tells two pages of one address apart. */
function idOf(target: Target): unknown {
  const id: unknown = Reflect.get(target, '_targetId');
  return id;
}

function onElement(page: Page, source: string, element: PageNode): Promise<unknown> {
  return 'role' in element ? onNamed(page, source, element) : onNode(page, source, element.backendNodeId);
}

/**
 * Uses puppeteer's own session; backend ids are valid in all sessions of a process. Source: DOM.resolveNode,
 * Runtime.callFunctionOn.
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

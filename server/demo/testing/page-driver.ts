import type { CDPSession, Page, Protocol } from 'puppeteer-core';
import { z } from 'zod';
import { done, refused, type AnyAction, type ApiOutcome } from '@/server/demo/testing/api-outcome';

/** Carries out the agent's actions on a real page: as much as the demo shop needs, no more. */

interface Ref {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

export interface DriverSnapshot {
  readonly answer: { readonly text: string; readonly refs: readonly Ref[]; readonly url: string };
  readonly nodes: ReadonlyMap<string, number>;
}

type AxNode = Protocol.Accessibility.AXNode;

const SHOWN_ROLES: ReadonlySet<string> = new Set([
  'link',
  'button',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'spinbutton',
  'Date',
]);

/** Lines in the form of SN2, with a ref for each control. */
export async function takeSnapshot(page: Page, cdp: CDPSession): Promise<DriverSnapshot> {
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const shown = nodes.filter(
    (node) => !node.ignored && SHOWN_ROLES.has(textOf(node.role)) && node.backendDOMNodeId !== undefined,
  );
  const refs = shown.map((node, index) => ({ ref: `e${index + 1}`, role: textOf(node.role), name: textOf(node.name) }));
  const lines = shown.map(
    (node, index) =>
      `- ${textOf(node.role)} ${JSON.stringify(textOf(node.name))}${statesOf(node)} [ref=e${index + 1}]${valueOf(node)}`,
  );
  return {
    answer: { text: lines.join('\n'), refs, url: page.url() },
    nodes: new Map(shown.map((node, index) => [`e${index + 1}`, node.backendDOMNodeId ?? 0])),
  };
}

function textOf(value: Protocol.Accessibility.AXValue | undefined): string {
  return value?.value === undefined ? '' : String(value.value);
}

function statesOf(node: AxNode): string {
  const set = (name: string): boolean =>
    node.properties?.some((property) => property.name === name && String(property.value.value) === 'true') ?? false;
  return ['checked', 'invalid', 'required']
    .filter(set)
    .map((name) => ` [${name}]`)
    .join('');
}

function valueOf(node: AxNode): string {
  const value = textOf(node.value);
  return value === '' ? '' : ` [value=${JSON.stringify(value)}]`;
}

const sent = z.object({
  ref: z.string().optional(),
  text: z.string().optional(),
  values: z.array(z.string()).optional(),
  url: z.string().optional(),
});

export async function actOnPage(
  page: Page,
  cdp: CDPSession,
  shown: DriverSnapshot,
  action: AnyAction,
): Promise<ApiOutcome> {
  const { ref, text = '', values = [], url = '' } = sent.parse(action);
  if (action.kind === 'evaluate') return refused('EVAL_TERMINATED');
  if (action.kind === 'scroll') return done(action, page.url());
  if (action.kind === 'navigate') {
    await page.goto(url);
    return done(action, page.url());
  }
  const node = shown.nodes.get(ref ?? '');
  if (node === undefined) return refused('REF_UNKNOWN');
  const script = SCRIPTS.get(action.kind);
  if (script === undefined) return refused('UNKNOWN_KIND', 400);
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId: node });
  const call = cdp.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: script,
    arguments: [{ value: text === '' ? values[0] : text }],
    userGesture: true,
    returnByValue: true,
  });
  await (action.kind === 'click' ? Promise.all([page.waitForNavigation(), call]) : call);
  return done(action, page.url());
}

/** Run with the element as `this`. Every click of the demo's way through the shop leads to another page. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['click', 'function () { this.click(); }'],
  ['check', 'function () { if (!this.checked) this.click(); }'],
  [
    'type',
    "function (text) { this.focus(); this.value = text; this.dispatchEvent(new Event('input', { bubbles: true })); }",
  ],
  ['select', 'function (label) { this.value = [...this.options].find((option) => option.text === label).value; }'],
]);

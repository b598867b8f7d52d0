import type { WaitCondition } from '@/lib/actions/kinds';

/**
 * Scripts that settle when a condition holds, looked at again after every change of the document and at least every 100 ms.
 * Run in a world of their own (cdp-facts "Identity"): the page can neither see nor fake them.
 */
const UNTIL = `(check) => new Promise((done) => {
  const look = () => {
    if (!check()) return false;
    observer.disconnect();
    clearInterval(timer);
    done(true);
    return true;
  };
  const observer = new MutationObserver(look);
  const timer = setInterval(look, 100);
  if (look()) return;
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})`;

const SEEN = `(element) => {
  if (!element || !element.isConnected) return false;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return box.width > 0 && box.height > 0 && style.visibility !== 'hidden' && style.display !== 'none';
}`;

const STATES = `{
  attached: (element) => !!element && element.isConnected,
  detached: (element) => !element || !element.isConnected,
  visible: seen,
  hidden: (element) => !seen(element),
  enabled: (element) => !!element && !element.matches(':disabled') && element.getAttribute('aria-disabled') !== 'true',
  disabled: (element) => !!element && (element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true'),
}`;

const FIND = `(selector) => {
  const inside = (root) => root.querySelector(selector) ?? [...root.querySelectorAll('*')].map((host) => host.shadowRoot && inside(host.shadowRoot)).find(Boolean) ?? null;
  return inside(document);
}`;

/** An expression whose promise settles when the page satisfies the condition; undefined when it is not for the page to say. */
export function waitExpression(condition: WaitCondition): string | undefined {
  if (condition.text !== undefined) return until(`document.body?.innerText.includes(${JSON.stringify(condition.text)})`);
  if (condition.textGone !== undefined) return until(`!document.body?.innerText.includes(${JSON.stringify(condition.textGone)})`);
  if (condition.stable !== undefined) return stable(condition.stable.quietMs);
  if (condition.selector === undefined) return undefined;
  const state = JSON.stringify(condition.state ?? 'visible');
  return `(() => { const seen = ${SEEN}; const states = ${STATES}; const find = ${FIND}; return (${UNTIL})(() => states[${state}](find(${JSON.stringify(condition.selector)}))); })()`;
}

/** The same for one element, as a function whose `this` is the element. */
export function waitFunction(state: NonNullable<WaitCondition['state']>): string {
  return `function () { const seen = ${SEEN}; const states = ${STATES}; const element = this; return (${UNTIL})(() => states[${JSON.stringify(state)}](element)); }`;
}

function until(check: string): string {
  return `(${UNTIL})(() => ${check})`;
}

function stable(quietMs: number): string {
  return `new Promise((done) => {
    let timer;
    const observer = new MutationObserver(() => again());
    const again = () => { clearTimeout(timer); timer = setTimeout(() => { observer.disconnect(); done(true); }, ${quietMs}); };
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    again();
  })`;
}

import type { WaitCondition } from '@/lib/actions/kinds';

/**
 * Scripts that settle when a condition holds, looked at again after every change of the document and at least every 100 ms, and that
 * stop looking at the caller's deadline: nobody would end them in the page. Run in a world of their own (cdp-facts "Identity"): the page
 * can neither see nor fake them.
 */
const UNTIL = `(check, withinMs) => new Promise((done) => {
  const end = (holds) => {
    observer.disconnect();
    clearInterval(timer);
    clearTimeout(deadline);
    done(holds);
    return true;
  };
  const look = () => check() && end(true);
  const observer = new MutationObserver(look);
  const timer = setInterval(look, 100);
  const deadline = setTimeout(() => end(false), withinMs);
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

/** An expression whose promise gives true when the page satisfies the condition, false after `withinMs` milliseconds; undefined when it is not for the page to say. */
export function waitExpression(condition: WaitCondition, withinMs: number): string | undefined {
  if (condition.text !== undefined) return until(`document.body?.innerText.includes(${JSON.stringify(condition.text)})`, withinMs);
  if (condition.textGone !== undefined) return until(`!document.body?.innerText.includes(${JSON.stringify(condition.textGone)})`, withinMs);
  if (condition.stable !== undefined) return stable(condition.stable.quietMs, withinMs);
  if (condition.selector === undefined) return undefined;
  const state = JSON.stringify(condition.state ?? 'visible');
  return `(() => { const seen = ${SEEN}; const states = ${STATES}; const find = ${FIND}; return (${UNTIL})(() => states[${state}](find(${JSON.stringify(condition.selector)})), ${withinMs}); })()`;
}

/** The same for one element, as a function whose `this` is the element. */
export function waitFunction(state: NonNullable<WaitCondition['state']>, withinMs: number): string {
  return `function () { const seen = ${SEEN}; const states = ${STATES}; const element = this; return (${UNTIL})(() => states[${JSON.stringify(state)}](element), ${withinMs}); }`;
}

function until(check: string, withinMs: number): string {
  return `(${UNTIL})(() => ${check}, ${withinMs})`;
}

function stable(quietMs: number, withinMs: number): string {
  return `new Promise((done) => {
    let timer;
    const end = (holds) => { observer.disconnect(); clearTimeout(timer); clearTimeout(deadline); done(holds); };
    const observer = new MutationObserver(() => again());
    const deadline = setTimeout(() => end(false), ${withinMs});
    const again = () => { clearTimeout(timer); timer = setTimeout(() => end(true), ${quietMs}); };
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    again();
  })`;
}

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

/**
 * Every text that can be seen, that of open shadow roots and of frames of the same site too, each in letters of one case and with single spaces:
 * `innerText` shows what CSS made of a text (`text-transform`), and a line break where the source has a space.
 */
const TEXTS = `function* (plain) {
  // innerText of what is not rendered is all that it holds.
  const rendered = (element) => element.checkVisibility() || (getComputedStyle(element).display === 'contents' && rendered(element.parentElement ?? element.getRootNode().host));
  const shown = (node) => plain(node.nodeType === Node.TEXT_NODE ? node.data : node.innerText !== undefined && rendered(node) ? node.innerText : '');
  const below = function* (root) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot && rendered(element)) yield* inside(element.shadowRoot);
      const held = element.localName === 'iframe' || element.localName === 'frame' ? element.contentDocument : null;
      if (held && rendered(element)) yield* page(held);
    }
  };
  const inside = function* (root) {
    for (const child of root.childNodes) yield shown(child);
    yield* below(root);
  };
  const page = function* (document) {
    if (document.body) yield shown(document.body);
    yield* below(document);
  };
  yield* page(document);
}`;

const PLAIN = `(text) => text.toUpperCase().replace(/\\s+/g, ' ').trim()`;

/**
 * An expression whose promise gives true when the page satisfies the condition, false after `withinMs` milliseconds; undefined when it is not for the page to say.
 * `text` and `textGone` are compared without regard to letter case and to how much white space stands between words.
 */
export function waitExpression(condition: WaitCondition, withinMs: number): string | undefined {
  if (condition.text !== undefined) return until(says(condition.text), withinMs);
  if (condition.textGone !== undefined) return until(`!(${says(condition.textGone)})`, withinMs);
  if (condition.stable !== undefined) return stable(condition.stable.quietMs, withinMs);
  if (condition.selector === undefined) return undefined;
  const state = JSON.stringify(condition.state ?? 'visible');
  return `(() => { const seen = ${SEEN}; const states = ${STATES}; const find = ${FIND}; return (${UNTIL})(() => states[${state}](find(${JSON.stringify(condition.selector)})), ${withinMs}); })()`;
}

/** The same for one element, as a function whose `this` is the element. */
export function waitFunction(state: NonNullable<WaitCondition['state']>, withinMs: number): string {
  return `function () { const seen = ${SEEN}; const states = ${STATES}; const element = this; return (${UNTIL})(() => states[${JSON.stringify(state)}](element), ${withinMs}); }`;
}

/** Whether the text can be seen anywhere in the page. */
function says(text: string): string {
  return `(() => { const plain = ${PLAIN}; const wanted = plain(${JSON.stringify(text)}); for (const said of (${TEXTS})(plain)) if (said.includes(wanted)) return true; return false; })()`;
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

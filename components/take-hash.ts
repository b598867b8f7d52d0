/**
 * Takes what stands behind the `#` of the address, which browsers send to no server, out of the address, its history
 * and every later request; empty where there is nothing.
 */
export function takeHash(): string {
  const { hash, pathname, search } = window.location;
  if (hash.length < 2) return '';
  const address = `${pathname}${search}`;
  window.history.replaceState(window.history.state, '', address);
  // Next's router would put the address that it began with back at its next change. It learns of this one by a call
  // without its own state, once its effects have run, which are later than those of the page.
  queueMicrotask(() => window.history.replaceState(null, '', address));
  return hash.slice(1);
}

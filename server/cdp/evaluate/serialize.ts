/**
 * Runs in the page: packs any value into one JSON string, so that a result costs one round trip and its limits are
 * applied before it leaves Chrome (EV6). Kept as text because it must not depend on other code of ours at run time.
 * Forms: {t:'json',v} {t:'undefined'} {t:'threw',name,message,stack} {t:'cyclic',path} {t:'oversize',chars,path,share}.
 * Values without a JSON form become {"$type": …}: number (NaN, Infinity, -0), bigint, date, error, node, function,
 * symbol, map, set; in a preview also undefined, cycle (with the path that it leads back to), deep and more (what was
 * left out).
 */
export const SERIALIZE_SOURCE = `(() => {
  // Pages define their own Map and Node and replace built-ins, so the originals are kept.
  const { Date: OwnDate, Error: OwnError, Map: OwnMap, Set: OwnSet, Node: OwnNode, Element: OwnElement } = globalThis;
  const { stringify } = JSON;
  const isA = (value, kind) => typeof kind === 'function' && value instanceof kind;
  const text = (value, most) => { const all = String(value); return all.length > most ? all.slice(0, most) + '…' : all; };
  const special = (value) => {
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) return { $type: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value === 'bigint') return { $type: 'bigint', text: text(value, 10000) };
    if (typeof value === 'function') return { $type: 'function', text: text(value, 200) };
    if (typeof value === 'symbol') return { $type: 'symbol', text: text(value, 200) };
    if (isA(value, OwnDate)) return { $type: 'date', text: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
    if (isA(value, OwnError)) return { $type: 'error', name: text(value.name, 200), message: text(value.message, 2000), stack: text(value.stack, 4000) };
    if (isA(value, OwnNode)) return { $type: 'node', text: text(isA(value, OwnElement) ? value.cloneNode(false).outerHTML : value.nodeName + ': ' + value.nodeValue, 500) };
    if (isA(value, OwnMap)) return { $type: 'map', entries: [...value] };
    if (isA(value, OwnSet)) return { $type: 'set', values: [...value] };
    return undefined;
  };
  // Some libraries add toJSON to Array.prototype or Object.prototype; only one defined by the value itself or by its own class is used.
  const inherited = (raw) => isNested(raw) && !Object.hasOwn(raw, 'toJSON') && (Array.isArray(raw) || Object.getPrototypeOf(raw) === Object.prototype);
  const replacer = function (key, current) { const raw = this[key]; return special(raw) ?? (inherited(raw) ? raw : current); };
  const isNested = (value) => typeof value === 'object' && value !== null;
  const step = (holder, key) => (Array.isArray(holder) ? '[' + key + ']' : /^[A-Za-z_$][\\w$]*$/.test(key) ? '.' + key : '[' + stringify(text(key, 60)) + ']');
  const cycle = (value) => {
    const open = [];
    const done = new WeakSet();
    const walk = (raw, path) => {
      if (!isNested(raw) || done.has(raw)) return undefined;
      if (open.includes(raw)) return path;
      open.push(raw);
      const holder = special(raw) ?? raw;
      for (const key of Object.keys(holder)) { const found = walk(holder[key], path + step(holder, key)); if (found) return found; }
      open.pop();
      done.add(raw);
      return undefined;
    };
    try { return text(walk(value, '$') ?? '$', 300); } catch { return '$'; }
  };
  const sizeOf = (value) => (stringify(value, replacer) ?? '').length;
  const heaviest = (value) => {
    let at = { path: '$', value, chars: sizeOf(value) };
    for (let depth = 0; depth < 6 && isNested(at.value); depth += 1) {
      const holder = special(at.value) ?? at.value;
      let heavy;
      for (const key of Object.keys(holder).slice(0, 5000)) { const chars = sizeOf(holder[key]); if (!heavy || chars > heavy.chars) heavy = { path: at.path + step(holder, key), value: holder[key], chars }; }
      if (!heavy || heavy.chars * 2 < at.chars) break;
      at = heavy;
    }
    return { path: text(at.path, 300), share: at.chars };
  };
  const pack = (value, most) => {
    if (value === undefined) return '{"t":"undefined"}';
    let json;
    try {
      json = stringify(value, replacer);
    } catch (error) {
      if (error instanceof TypeError && /circular|cyclic/i.test(error.message)) return stringify({ __proto__: null, t: 'cyclic', path: cycle(value) });
      if (error instanceof RangeError) return '{"t":"oversize","chars":-1}';
      throw error;
    }
    if (json === undefined) return '{"t":"undefined"}';
    return json.length > most ? stringify({ __proto__: null, t: 'oversize', chars: json.length, ...heaviest(value) }) : '{"t":"json","v":' + json + '}';
  };
  const outline = (value, most) => {
    const open = [];
    const paths = [];
    const trim = (raw, path) => {
      if (raw === undefined) return { $type: 'undefined' };
      const shown = special(raw) ?? raw;
      if (typeof shown === 'string') return text(shown, 500);
      if (!isNested(shown)) return shown;
      const back = open.indexOf(raw);
      if (back >= 0) return { $type: 'cycle', path: paths[back] };
      if (open.length > 5) return { $type: 'deep' };
      open.push(raw);
      paths.push(path);
      const keys = Object.keys(shown);
      const some = keys.slice(0, 50).map((key) => [key, trim(shown[key], path + step(shown, key))]);
      if (keys.length > 50) some.push(['…', { $type: 'more', count: keys.length - 50 }]);
      open.pop();
      paths.pop();
      return Array.isArray(shown) ? some.map(([, item]) => item) : Object.fromEntries(some);
    };
    const all = stringify(trim(value, '$'), function (key) { return this[key]; }, 1);
    return all.length > most ? all.slice(0, most) + '…(+' + (all.length - most) + ')' : all;
  };
  pack.preview = (value, most) => stringify({ __proto__: null, t: 'json', v: outline(value, most) });
  pack.threw = (error) => {
    const known = isA(error, OwnError);
    const name = known ? text(error.name, 200) : error === null ? 'null' : typeof error;
    const message = known ? text(error.message, 2000) : isNested(error) ? outline(error, 2000) : text(error, 2000);
    return stringify({ __proto__: null, t: 'threw', name, message, stack: known ? text(error.stack, 4000) : '' });
  };
  return pack;
})()`;

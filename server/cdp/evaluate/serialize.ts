/**
 * Runs in the page: packs any value into one JSON string, so that a result costs one round trip and its limits hold
 * before it leaves Chrome (EV6). Kept as text because it must not depend on anything of ours at run time.
 * Forms: {t:'json',v} {t:'undefined'} {t:'threw',name,message,stack} {t:'cyclic'} {t:'oversize',chars}.
 * What JSON has no word for becomes {"$type": …}: number (NaN, Infinity, -0), bigint, date, error, node, function, symbol.
 */
export const SERIALIZE_SOURCE = `(() => {
  const text = (value, most) => { const all = String(value); return all.length > most ? all.slice(0, most) + '…' : all; };
  const special = (value) => {
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) return { $type: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value === 'bigint') return { $type: 'bigint', text: text(value, 10000) };
    if (typeof value === 'function') return { $type: 'function', text: text(value, 200) };
    if (typeof value === 'symbol') return { $type: 'symbol', text: text(value, 200) };
    if (value instanceof Date) return { $type: 'date', text: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
    if (value instanceof Error) return { $type: 'error', name: text(value.name, 200), message: text(value.message, 2000), stack: text(value.stack, 4000) };
    if (value instanceof Node) return { $type: 'node', text: text(value instanceof Element ? value.cloneNode(false).outerHTML : value.nodeName + ': ' + value.nodeValue, 500) };
    if (value instanceof Map) return { $type: 'map', entries: [...value] };
    if (value instanceof Set) return { $type: 'set', values: [...value] };
    return undefined;
  };
  const pack = (value, most) => {
    if (value === undefined) return '{"t":"undefined"}';
    let json;
    try {
      json = JSON.stringify(value, function (key, current) { const raw = this[key]; return special(raw) ?? current; });
    } catch (error) {
      if (error instanceof TypeError && /circular|cyclic/i.test(error.message)) return '{"t":"cyclic"}';
      if (error instanceof RangeError) return '{"t":"oversize","chars":-1}';
      throw error;
    }
    if (json === undefined) return '{"t":"undefined"}';
    return json.length > most ? '{"t":"oversize","chars":' + json.length + '}' : '{"t":"json","v":' + json + '}';
  };
  pack.threw = (error) => {
    const known = error instanceof Error;
    const packed = { t: 'threw', name: known ? text(error.name, 200) : typeof error, message: text(known ? error.message : error, 2000), stack: known ? text(error.stack, 4000) : '' };
    return JSON.stringify(packed);
  };
  return pack;
})()`;

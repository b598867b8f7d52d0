import type { EntryPreview, ObjectPreview, PropertyPreview, RemoteObject } from '@/server/cdp/shapes/objects';

/**
 * The text of one console call. `%s`, `%d`, `%i`, `%f`, `%o`, `%O` are replaced by the next argument, `%c` hides it
 * (WHATWG Console, "Formatter").
 */
export function consoleText(args: readonly RemoteObject[]): string {
  const [first, ...rest] = args;
  if (first?.type !== 'string' || typeof first.value !== 'string' || !first.value.includes('%'))
    return args.map(shown).join(' ');
  const left = [...rest];
  const format = bounded(first.value).replace(/%[%sdifoOc]/gu, (mark) => {
    if (mark === '%%') return '%';
    const next = left.shift();
    if (!next) return mark;
    return mark === '%c' ? '' : shown(next);
  });
  return [format, ...left.map(shown)].join(' ');
}

/** One value in a line: a string as it is, anything else as Chrome previews it. */
export function shown(value: RemoteObject): string {
  if (value.type === 'string') return typeof value.value === 'string' ? bounded(value.value) : '';
  if (value.unserializableValue !== undefined) return value.unserializableValue;
  if (value.type === 'undefined') return 'undefined';
  if (value.subtype === 'null') return 'null';
  if (value.type !== 'object') return bounded(value.description ?? String(value.value));
  if (value.subtype === 'error' || !value.preview) return bounded(value.description ?? value.className ?? 'object');
  return previewText(value.preview);
}

/** Most characters of one argument that are shown, so no more are copied. */
const MOST = 8_192;

function bounded(text: string): string {
  return text.length > MOST ? text.slice(0, MOST) : text;
}

function previewText(preview: ObjectPreview): string {
  const { subtype, description = '', overflow, properties, entries } = preview;
  if (subtype === 'map' || subtype === 'set')
    return `${description} {${listed((entries ?? []).map(entryText), overflow)}}`;
  if (subtype === 'array' || subtype === 'typedarray') return `[${listed(properties.map(propertyValue), overflow)}]`;
  if (subtype !== undefined && subtype !== 'proxy') return description;
  const inside = properties.map((property) => `${property.name}: ${propertyValue(property)}`);
  return `${description === 'Object' ? '' : `${description} `}{${listed(inside, overflow)}}`;
}

function listed(parts: readonly string[], overflow: boolean): string {
  return [...parts, ...(overflow ? ['…'] : [])].join(', ');
}

function entryText({ key, value }: EntryPreview): string {
  return key ? `${leaf(key)} => ${leaf(value)}` : leaf(value);
}

function leaf(preview: ObjectPreview): string {
  return preview.type === 'string' ? JSON.stringify(preview.description ?? '') : (preview.description ?? preview.type);
}

function propertyValue(property: PropertyPreview): string {
  if (property.type === 'string') return JSON.stringify(property.value ?? '');
  return property.value ?? property.type;
}

import type { AxNodeLike } from '@/lib/snapshot/ax-node';
import type { DomSnapshotLike } from '@/lib/snapshot/dom-snapshot';

/**
 * Type guards for the answers that contain a whole page. They copy nothing, where zod would copy some 100 000 objects.
 * They check the types on which `lib/snapshot` relies; `lib/snapshot` itself accepts cycles and references that lead
 * nowhere (lib/snapshot/hostile.test.ts).
 */

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

const isString = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isNumberList = (value: unknown): boolean => isListOf(value, isNumber);

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** Whether the value is absent or passes the check. */
function may(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

/** Whether the value is a list of objects, some of which may be null. */
const isSparse = (value: unknown): boolean => isListOf(value, (item) => item === null || isObject(item));

function isProperty(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value) || typeof value['name'] !== 'string') return false;
  const held = value['value'];
  return held === undefined || held === null || (isObject(held) && may(held['relatedNodes'], isSparse));
}

function isNamed(value: unknown): boolean {
  return isObject(value) && may(value['sources'], isSources);
}

const isSources = (value: unknown): boolean =>
  isListOf(value, (source) => source === null || (isObject(source) && may(source['value'], isObject)));

/** Whether the value is a CDP `Accessibility.AXNode`. */
export function isAxNode(value: unknown): value is AxNodeLike {
  return (
    isObject(value) &&
    typeof value['nodeId'] === 'string' &&
    typeof value['ignored'] === 'boolean' &&
    may(value['role'], isObject) &&
    may(value['name'], isNamed) &&
    may(value['description'], isObject) &&
    may(value['value'], isObject) &&
    may(value['properties'], isProperties) &&
    may(value['parentId'], isString) &&
    may(value['childIds'], isStrings) &&
    may(value['backendDOMNodeId'], isNumber)
  );
}

const isProperties = (value: unknown): boolean => isListOf(value, isProperty);
const isStrings = (value: unknown): boolean => isListOf(value, isString);

export function areAxNodes(value: unknown): value is AxNodeLike[] {
  return isListOf(value, isAxNode);
}

const RARE_VALUES = ['shadowRootType', 'textValue', 'inputValue', 'contentDocumentIndex', 'pseudoType'] as const;
const RARE_FLAGS = ['inputChecked', 'optionSelected', 'isClickable'] as const;
const COLUMNS = ['parentIndex', 'nodeType', 'nodeName', 'nodeValue', 'backendNodeId'] as const;

function isRareFlag(value: unknown): boolean {
  return isObject(value) && isNumberList(value['index']);
}

function isRareValue(value: unknown): boolean {
  return isObject(value) && isNumberList(value['index']) && isNumberList(value['value']);
}

function isNodeTable(value: unknown): boolean {
  return (
    isObject(value) &&
    COLUMNS.every((name) => may(value[name], isNumberList)) &&
    RARE_VALUES.every((name) => may(value[name], isRareValue)) &&
    RARE_FLAGS.every((name) => may(value[name], isRareFlag)) &&
    may(value['attributes'], (lists) => isListOf(lists, isNumberList))
  );
}

function isLayoutTable(value: unknown): boolean {
  return (
    isObject(value) &&
    isNumberList(value['nodeIndex']) &&
    isListOf(value['styles'], isNumberList) &&
    isListOf(value['bounds'], isNumberList)
  );
}

function isDocument(value: unknown): boolean {
  return (
    isObject(value) &&
    isNumber(value['frameId']) &&
    may(value['scrollOffsetX'], isNumber) &&
    may(value['scrollOffsetY'], isNumber) &&
    isNodeTable(value['nodes']) &&
    isLayoutTable(value['layout'])
  );
}

/** Whether the value is the answer of `DOMSnapshot.captureSnapshot`. */
export function isDomSnapshot(value: unknown): value is DomSnapshotLike {
  return isObject(value) && isStrings(value['strings']) && isListOf(value['documents'], isDocument);
}

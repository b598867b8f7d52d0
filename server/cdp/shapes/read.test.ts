import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { rawFromAx } from '@/lib/snapshot/ax';
import { readDomSnapshot } from '@/lib/snapshot/dom-snapshot';
import { mutated, changeArbitrary } from '@/server/testing/mutated-endpoint';
import { isAxNode, isDomSnapshot } from './page-content';
import { MALFORMED, readAnswer, readEvent, type EventParams, type Result } from './read';

describe('answers and events of Chrome', () => {
  it('[R7] pass on the fields of their schema, and nothing without a schema', () => {
    expect([
      readAnswer('Page.navigate', { frameId: 'F', loaderId: 'L', somethingElse: {} }),
      readEvent('Page.frameAttached', { frameId: 'F', parentFrameId: 'P', stack: [] }),
      readAnswer('DOM.getDocument', { root: { nodeId: 1 } }),
      readEvent('Page.windowOpen', { url: 'http://a.test/' }),
    ]).toEqual([{ frameId: 'F', loaderId: 'L' }, { frameId: 'F', parentFrameId: 'P' }, {}, {}]);
  });

  it('[R7] have the type of their schema, so the compiler refuses to read more', () => {
    expectTypeOf<Result<'DOM.getDocument'>>().toEqualTypeOf<object>();
    expectTypeOf<EventParams<'Page.windowOpen'>>().toEqualTypeOf<object>();
    expectTypeOf<keyof Result<'Page.navigate'>>().toEqualTypeOf<'frameId' | 'loaderId' | 'errorText' | 'isDownload'>();
    expectTypeOf<keyof EventParams<'Page.frameAttached'>>().toEqualTypeOf<'frameId' | 'parentFrameId'>();
  });

  it('[R7] of an older Chrome are read without the fields that it lacks or gives in another form', () => {
    const cookie = {
      ...{ name: 'a', value: 'b', domain: 'a.test', path: '/', expires: -1, size: 2 },
      ...{ httpOnly: false, secure: true, session: true },
    };
    const experimental = { partitionKey: 'https://top.test', priority: 'Urgent', sourceScheme: 'Odd', sourcePort: 'x' };

    expect([
      readAnswer('Network.getRequestPostData', { postData: 'q=1' }),
      readAnswer('Network.getCookies', { cookies: [cookie, { ...cookie, ...experimental }] }),
    ]).toEqual([{ postData: 'q=1', base64Encoded: false }, { cookies: [cookie, cookie] }]);
  });

  it.each([undefined, null, 'text', 5, [], { frameId: 5 }, { frameId: '../x' }])(
    '[R7] are malformed when they are %j',
    (answer) => {
      expect(readAnswer('Page.navigate', answer)).toBe(MALFORMED);
    },
  );
});

const AX_NODE = {
  nodeId: '2',
  ignored: false,
  role: { type: 'role', value: 'button' },
  name: { value: 'Press', sources: [{ type: 'contents', value: { value: 'Press' } }, null] },
  description: { value: 'd' },
  value: { value: 5 },
  properties: [{ name: 'labelledby', value: { value: 'a', relatedNodes: [{ backendDOMNodeId: 7 }, null] } }, null],
  parentId: '1',
  childIds: ['3'],
  backendDOMNodeId: 2,
};
const NODES = {
  parentIndex: [-1, 0],
  nodeType: [9, 1],
  nodeName: [0, 1],
  nodeValue: [-1, -1],
  backendNodeId: [1, 2],
  attributes: [[], [2, 3]],
  inputValue: { index: [1], value: [3] },
  inputChecked: { index: [1] },
  contentDocumentIndex: { index: [1], value: [0] },
};
const DOM_SNAPSHOT = {
  strings: ['#document', 'INPUT', 'type', 'text'],
  documents: [
    {
      frameId: 3,
      scrollOffsetX: 0,
      nodes: NODES,
      layout: { nodeIndex: [0, 1], styles: [[], [0, 1, 2]], bounds: [[0, 0, 1, 1], []] },
    },
  ],
};

/** The message with one to three fields or items replaced, at any depth. */
function anyChange(said: object) {
  return fc
    .array(changeArbitrary, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((changed: unknown, change) => mutated(changed, change), said));
}

describe('accessibility trees and DOM snapshots', () => {
  it('[R7] are accepted when they are well formed', () => {
    expect([isAxNode(AX_NODE), isDomSnapshot(DOM_SNAPSHOT)]).toEqual([true, true]);
  });

  it('[R7][SN10] an accessibility node with changed fields is refused or can be read', () => {
    fc.assert(
      fc.property(anyChange(AX_NODE), (node) => {
        if (isAxNode(node)) rawFromAx([{ frameId: 'F', loaderId: 'L', label: '', nodes: [node] }], undefined);
      }),
      { numRuns: 3_000 },
    );
  });

  it('[R7][SN10] a DOM snapshot with changed fields is refused or can be read', () => {
    fc.assert(
      fc.property(anyChange(DOM_SNAPSHOT.documents[0] ?? {}), fc.boolean(), (document, deep) => {
        const snapshot = { ...DOM_SNAPSHOT, documents: deep ? [document] : document };
        if (!isDomSnapshot(snapshot)) return;
        for (const { nodes, viewport } of readDomSnapshot(snapshot))
          for (const node of nodes)
            expect([
              viewport,
              node.tag,
              node.text,
              node.attributes.get('type'),
              node.value,
              node.box,
              node.inline,
              node.visible,
              node.contentDocument,
            ]).toHaveLength(9);
      }),
      { numRuns: 3_000 },
    );
  });
});

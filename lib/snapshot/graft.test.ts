import { expect, it } from 'vitest';
import { graft } from './graft';
import type { RawNode, RawTree } from './raw';

function node(name: string, parent: number, backendNodeId: number, states: readonly string[] = []): RawNode {
  return {
    parent,
    document: 0,
    kind: 'element',
    role: 'group',
    name,
    nameFromContent: false,
    inline: false,
    leaf: false,
    label: false,
    states,
    value: undefined,
    masked: false,
    url: '',
    backendNodeId,
    clickable: 'no',
  };
}

function tree(frameId: string, nodes: RawNode[]): RawTree {
  return { documents: [{ frameId, loaderId: `L-${frameId}`, label: frameId }], nodes, overflow: false };
}

const PAGE = tree('main', [node('page', -1, 1), node('frame', 0, 2), node('after', 0, 3)]);

it('[SN5] puts a frame of another process at its element, also nested ones, in any order of arrival', () => {
  const mid = tree('mid', [node('mid', -1, 1), node('inner frame', 0, 2), node('mid end', 0, 9)]);
  const leaf = tree('leaf', [node('leaf', -1, 2)]);
  const { documents, nodes } = graft(PAGE, [
    { frameId: 'mid', backendNodeId: 2, tree: leaf },
    { frameId: 'main', backendNodeId: 2, tree: mid },
  ]);
  expect(documents.map(({ frameId }) => frameId)).toEqual(['main', 'mid', 'leaf']);
  expect(nodes.map(({ name, parent, document }) => [name, parent, document])).toEqual([
    ['page', -1, 0],
    ['frame', 0, 0],
    ['mid', 1, 1],
    ['inner frame', 2, 1],
    ['leaf', 3, 2],
    ['mid end', 2, 1],
    ['after', 0, 0],
  ]);
});

it('[SN5] ignores node numbers of other processes, and leaves out frames without a place', () => {
  const lost = graft(PAGE, [
    { frameId: 'main', backendNodeId: 77, tree: tree('lost', [node('lost', -1, 1)]) },
    { frameId: 'lost', backendNodeId: 1, tree: tree('deep', [node('deep', -1, 1)]) },
  ]);
  expect([lost.documents.length, lost.nodes.map(({ name }) => name)]).toEqual([1, ['page', 'frame', 'after']]);
});

it('[SN2] marks the content of a frame out of view as out of view', () => {
  const page = tree('main', [node('frame', -1, 1, ['offscreen'])]);
  const { nodes } = graft(page, [
    {
      frameId: 'main',
      backendNodeId: 1,
      tree: tree('in', [node('seen', -1, 1), node('away', -1, 2, ['checked', 'offscreen'])]),
    },
  ]);
  expect(nodes.map(({ states }) => states)).toEqual([['offscreen'], ['offscreen'], ['checked', 'offscreen']]);
});

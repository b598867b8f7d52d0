import { expect, it } from 'vitest';
import { FrameTree } from './frame-tree';

const at = (frameId: string, loaderId: string, parentFrameId?: string) => ({
  frameId,
  loaderId,
  parentFrameId,
  url: `http://${frameId}/${loaderId}`,
});

function tree(): FrameTree {
  const made = new FrameTree('main', 'about:blank');
  made.navigated('main', at('main', 'L1'));
  made.attached('main', 'a', 'main');
  made.navigated('main', at('a', 'L2', 'main'));
  made.attached('main', 'inside', 'a');
  return made;
}

it('[SN5] a frame that gets a target of its own keeps its place and loses its children', () => {
  const frames = tree();
  const gone = frames.detached('main', 'a', 'swap');
  frames.split('a', 'main');
  frames.navigated('a', at('a', 'L3', 'main'));
  expect([gone, frames.list().map(({ frameId, targetId, loaderId }) => [frameId, targetId, loaderId])]).toEqual([
    ['inside'],
    [
      ['main', 'main', 'L1'],
      ['a', 'a', 'L3'],
    ],
  ]);
});

it('[SN5] a late event of the process that a frame left changes nothing', () => {
  const frames = tree();
  frames.split('a', 'main');
  const gone = frames.detached('main', 'a', 'remove');
  expect([gone, frames.get('a')?.targetId]).toEqual([[], 'a']);
});

it('[SN4] a new document in the main frame removes all frames; the same document again removes none', () => {
  const frames = tree();
  const same = frames.navigated('main', at('main', 'L1'));
  const other = frames.navigated('main', at('main', 'L9'));
  expect([same, other, frames.list().length]).toEqual([
    { replaced: false, gone: [] },
    { replaced: true, gone: ['a', 'inside'] },
    1,
  ]);
});

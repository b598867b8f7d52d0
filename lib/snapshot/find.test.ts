import { describe, expect, it } from 'vitest';
import { rawFromAx } from './ax';
import { IncrementalTree } from './incremental-tree';
import { findByRole, findInside } from './find';
import { axDocument, factsOf, named, page, text, treeOf } from './testing/fixture';

const tree = treeOf([
  axDocument(
    page(named('button', 'Add'), named('button', 'Add to cart'), named('button', 'Add'), named('heading', 'Cart'), {
      role: 'image',
      name: 'Logo',
    }),
  ),
]);
const names = (query: Parameters<typeof findByRole>[1]) =>
  findByRole(tree, query).map((node) => `${node.role} ${node.name} ${node.nth}`);

describe('findByRole', () => {
  it('[AC2] prefers the exact name', () =>
    expect(names({ role: 'button', name: 'Add' })).toEqual(['button Add 0', 'button Add 1']));
  it('[AC2] takes a part of the name, ignoring case, when no name is exact', () =>
    expect(names({ role: 'button', name: 'TO CART' })).toEqual(['button Add to cart 0']));
  it('[AC2] finds all of a role without a name', () => expect(names({ role: 'button' })).toHaveLength(3));
  it("[AC2] finds elements without a ref, and by Chrome's names of roles", () =>
    expect([names({ role: 'heading', name: 'Cart' }), names({ role: 'image' })]).toEqual([
      ['heading Cart 0'],
      ['img Logo 0'],
    ]));
  it('[AC2] finds a name that is printed in parts', () => {
    const parts = treeOf([
      axDocument(
        page({ role: 'heading', name: 'Cart 2', content: true, children: [text('Cart '), named('link', '2')] }),
      ),
    ]);
    expect(findByRole(parts, { role: 'heading', name: 'Cart 2' })).toHaveLength(1);
  });
  it('[AC2] finds nothing when no element fits', () => expect(names({ role: 'button', name: 'Remove' })).toEqual([]));
});

describe('parts of the page', () => {
  it('[SN9] an element without a line gives its content', () => {
    const box = {
      role: 'generic',
      id: 70,
      children: [named('button', 'In'), { role: 'generic', children: [text('words')] }],
    };
    const raw = rawFromAx([axDocument(page(named('button', 'Before'), box, named('button', 'After')))], factsOf());
    const built = new IncrementalTree().build(raw, () => 'e1');
    expect([findInside(built, raw, 'main', 70)?.map((node) => node.name), findInside(built, raw, 'other', 70)]).toEqual(
      [['In', 'words'], undefined],
    );
  });

  it('[SN9] an element with a line gives that line', () => {
    const raw = rawFromAx(
      [axDocument(page({ role: 'list', id: 70, children: [named('button', 'In')] }, named('button', 'After')))],
      factsOf(),
    );
    expect(
      findInside(
        new IncrementalTree().build(raw, () => 'e1'),
        raw,
        'main',
        70,
      )?.map((node) => [node.role, node.children.length]),
    ).toEqual([['list', 1]]);
  });
});

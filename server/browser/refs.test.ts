import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { RefTable, type RefIdentity } from './refs';

const button = (backendNodeId: number, name = 'Save', more: Partial<RefIdentity> = {}): RefIdentity => ({
  targetId: 'T',
  frameId: 'T',
  loaderId: 'L1',
  backendNodeId,
  role: 'button',
  name,
  nth: 0,
  ...more,
});

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'found';
  } catch (error) {
    return error instanceof WheelhouseError ? error.code : 'other';
  }
}

function table(firstNumber = 1): RefTable {
  const made = new RefTable({ firstNumber });
  made.documentReplaced('T', 'L1');
  return made;
}

describe('assign', () => {
  it('[SN4] keeps the ref of an element while role and name stay', () => {
    const refs = table();
    expect([
      refs.assign(button(7)),
      refs.assign(button(8)),
      refs.assign(button(7)),
      refs.assign(button(7, 'Saved')),
      refs.assign(button(8)),
    ]).toEqual(['e1', 'e2', 'e1', 'e3', 'e2']);
  });

  it('[SN4] never gives a number twice, in any order of pages and elements', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            node: fc.integer({ min: 1, max: 6 }),
            name: fc.constantFrom('a', 'b'),
            loader: fc.constantFrom('L1', 'L2', 'L3'),
          }),
          { maxLength: 60, size: 'max' },
        ),
        (steps) => {
          const refs = table();
          const owner = new Map<string, string>();
          for (const { node, name, loader } of steps) {
            refs.documentReplaced('T', loader);
            const ref = refs.assign(button(node, name, { loaderId: loader }));
            const identity = `${node} ${name} ${loader}`;
            expect(owner.get(ref) ?? identity).toBe(identity);
            owner.set(ref, identity);
            expect(refs.lookup(ref)).toMatchObject({ backendNodeId: node, name, loaderId: loader });
          }
        },
      ),
    );
  });

  it('[SN4] continues after the numbers of an earlier server, whose refs are stale', () => {
    const refs = table(41);
    expect([refs.assign(button(7)), refs.lastNumber, codeOf(() => refs.lookup('e40'))]).toEqual([
      'e41',
      41,
      'REF_STALE_DOCUMENT',
    ]);
  });

  it("[SN4] says of an earlier server's ref that it was given before, and of a replaced page's that the page is gone", () => {
    const refs = new RefTable({ firstNumber: 41 });
    const old = refs.assign(button(7));
    refs.documentReplaced('T', 'L2');
    expect(() => refs.lookup('e40')).toThrow('Ref "e40" was given before the server was restarted');
    expect(() => refs.lookup(old)).toThrow('belongs to a page that this tab no longer shows');
  });

  it('[SN4] notes a new position without a new ref', () => {
    const refs = table();
    const ref = refs.assign(button(7));
    refs.assign(button(7, 'Save', { nth: 3 }));
    expect(refs.lookup(ref).nth).toBe(3);
  });
});

describe('lookup', () => {
  it('[SN4] takes every accepted spelling', () => {
    const refs = table();
    refs.assign(button(7));
    expect(['e1', '1', '@e1', 'ref=e1', 'f3e1'].map((ref) => refs.lookup(ref).backendNodeId)).toEqual([7, 7, 7, 7, 7]);
  });

  it('[AC8] distinguishes a ref that was never given from text that is no ref', () => {
    const refs = table();
    refs.assign(button(7));
    expect(['e2', 'e0', 'button', '', 'e-1', 'e999999999'].map((ref) => codeOf(() => refs.lookup(ref)))).toEqual(
      Array.from({ length: 6 }, () => 'REF_UNKNOWN'),
    );
  });
});

describe('documents', () => {
  it('[SN4] a ref of an older document is stale, even if the new document has its number', () => {
    const refs = table();
    const old = refs.assign(button(7));
    refs.documentReplaced('T', 'L2');
    const now = refs.assign(button(7, 'Save', { loaderId: 'L2' }));
    expect([codeOf(() => refs.lookup(old)), refs.lookup(now).loaderId]).toEqual(['REF_STALE_DOCUMENT', 'L2']);
  });

  it('[SN4] a new page makes the refs of its subframes stale too', () => {
    const refs = table();
    const inner = refs.assign(button(7, 'Pay', { frameId: 'child', loaderId: 'C1' }));
    refs.documentReplaced('T', 'L2');
    expect(codeOf(() => refs.lookup(inner))).toBe('REF_STALE_DOCUMENT');
  });

  it("[SN4] a reloaded subframe leaves the page's refs alone", () => {
    const refs = table();
    const outer = refs.assign(button(7));
    const inner = refs.assign(button(8, 'Pay', { frameId: 'child', loaderId: 'C1' }));
    refs.documentReplaced('child', 'C1');
    refs.documentReplaced('child', 'C2');
    expect([codeOf(() => refs.lookup(outer)), codeOf(() => refs.lookup(inner))]).toEqual([
      'found',
      'REF_STALE_DOCUMENT',
    ]);
  });

  it('[SN4] refs of a removed frame are gone', () => {
    const refs = table();
    const inner = refs.assign(button(8, 'Pay', { frameId: 'child', loaderId: 'C1' }));
    refs.beginBuild('T', [{ frameId: 'T', loaderId: 'L1' }]);
    expect(codeOf(() => refs.lookup(inner))).toBe('REF_STALE_DOCUMENT');
  });

  it('[SN4] knows an answer that was read from a document already replaced', () => {
    const refs = table();
    refs.documentReplaced('T', 'L2');
    expect([refs.isReplaced('T', 'L1'), refs.isReplaced('T', 'L2'), refs.isReplaced('T', 'L3')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('[SN4] finds the ref in force of a node', () => {
    const refs = table();
    refs.assign(button(7));
    refs.assign(button(7, 'Saved'));
    expect([refs.byNode('T', 7)?.ref, refs.byNode('T', 8), refs.byNode('other', 7)]).toEqual([
      'e2',
      undefined,
      undefined,
    ]);
  });
});

describe('memory', () => {
  it('[SN4] stays bounded on a page that never stops making elements, and old refs are stale, not unknown', () => {
    const refs = table();
    for (let build = 0; build < 200; build += 1) {
      refs.beginBuild('T', [{ frameId: 'T', loaderId: 'L1' }]);
      for (let node = 0; node < 500; node += 1) refs.assign(button(build * 500 + node));
    }
    expect([
      refs.lastNumber,
      refs.size <= 40_000,
      codeOf(() => refs.lookup('e1')),
      codeOf(() => refs.lookup('e100000')),
    ]).toEqual([100_000, true, 'REF_STALE_DOCUMENT', 'found']);
  });

  it('[SN4] keeps the refs of the snapshot that is being taken', () => {
    const refs = table();
    const kept = refs.assign(button(1, 'Menu'));
    for (let build = 0; build < 100; build += 1) {
      refs.beginBuild('T', [{ frameId: 'T', loaderId: 'L1' }]);
      refs.assign(button(1, 'Menu'));
      for (let node = 0; node < 1_000; node += 1) refs.assign(button(2, `Time ${build} ${node}`));
    }
    expect(refs.lookup(kept).name).toBe('Menu');
  });
});

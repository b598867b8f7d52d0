import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawFromAx } from './ax';
import { AxIndex } from './ax-index';
import type { AxNodeLike } from './ax-node';
import { IncrementalRaw } from './incremental-raw';
import { factsOf } from './testing/fixture';

interface Sketch {
  readonly id: number;
  role: string;
  name: string;
  ignored: boolean;
  editable: boolean;
  children: Sketch[];
}

const ROLES = ['button', 'generic', 'StaticText', 'listitem', 'InlineTextBox', 'textbox', 'heading', 'none'] as const;
const look = fc.record({
  role: fc.constantFrom(...ROLES),
  name: fc.constantFrom('', 'a', 'b'),
  ignored: fc.nat(4).map((die) => die === 0),
  editable: fc.nat(6).map((die) => die === 0),
});
const change = fc.tuple(
  fc.constantFrom('look', 'look', 'fresh', 'add', 'remove', 'swap', 'move'),
  fc.nat(60),
  fc.nat(60),
  look,
);
const first = fc.array(fc.tuple(fc.nat(60), look), { minLength: 1, maxLength: 30, size: 'max' });

/** A document that changes as pages do; ids are never given again. */
class Page {
  readonly root: Sketch = { id: 1, role: 'RootWebArea', name: '', ignored: false, editable: false, children: [] };
  #last = 1;

  all(at = this.root): Sketch[] {
    return [at, ...at.children.flatMap((child) => this.all(child))];
  }

  change([kind, n, m, how]: [string, number, number, Omit<Sketch, 'id' | 'children'>]): void {
    const all = this.all();
    const [one, other] = [all[n % all.length], all[m % all.length]];
    if (!one || !other) return;
    const above = all.find(({ children }) => children.includes(one));
    if (kind === 'add') other.children.splice(n % (other.children.length + 1), 0, this.#made(how));
    else if (kind === 'look' && one !== this.root) Object.assign(one, how);
    else if (kind === 'swap') one.children.reverse();
    else if (above && kind === 'fresh') above.children.splice(above.children.indexOf(one), 1, this.#made(how));
    else if (above && kind === 'remove') above.children.splice(above.children.indexOf(one), 1);
    else if (above && kind === 'move' && !this.all(one).includes(other)) {
      above.children.splice(above.children.indexOf(one), 1);
      other.children.push(one);
    }
  }

  nodes(): Map<string, AxNodeLike> {
    const made = new Map<string, AxNodeLike>();
    const visit = (at: Sketch, parent: Sketch | undefined): void => {
      const properties = at.editable ? [{ name: 'editable', value: { value: 'richtext' } }] : [];
      const id = String(at.id);
      made.set(id, {
        nodeId: id,
        ignored: at.ignored,
        role: { value: at.role },
        name: { value: at.name },
        properties,
        backendDOMNodeId: at.id,
        ...(parent ? { parentId: String(parent.id) } : {}),
        childIds: at.children.map((child) => String(child.id)),
      });
      for (const child of at.children) visit(child, at);
    };
    visit(this.root, undefined);
    return made;
  }

  #made(how: Omit<Sketch, 'id' | 'children'>): Sketch {
    this.#last += 1;
    return { ...how, id: this.#last, children: [] };
  }
}

/** Puts the changed nodes into an index as parts that were read again. */
function put(index: AxIndex, before: Map<string, AxNodeLike>, now: Map<string, AxNodeLike>): void {
  for (const [id, node] of now) if (JSON.stringify(before.get(id)) !== JSON.stringify(node)) index.set(node);
  for (const id of before.keys()) if (!now.has(id)) index.delete(id);
}

describe('the raw form of an updated page', () => {
  it('[SN1] equals that of the page read anew, after nodes came, went, moved or changed their kind', () => {
    fc.assert(
      fc.property(
        first,
        fc.array(fc.tuple(fc.array(change, { maxLength: 3 }), fc.nat(200)), { minLength: 1, maxLength: 6 }),
        (begin, rounds) => {
          const page = new Page();
          for (const [at, how] of begin) page.change(['add', 0, at, how]);
          let before = page.nodes();
          let facts = factsOf();
          const index = new AxIndex([...before.values()]);
          const kept = new IncrementalRaw();
          const document = { frameId: 'main', loaderId: 'l', label: '' };
          kept.of([{ ...document, index }], facts);
          for (const [changes, pointed] of rounds) {
            for (const one of changes) page.change(one);
            const now = page.nodes();
            put(index, before, now);
            if (pointed < 40) facts = factsOf({ [pointed]: { clickable: 'pointer' } });
            before = now;
            expect(kept.of([{ ...document, index }], facts)).toEqual(
              rawFromAx([{ ...document, nodes: [...now.values()] }], facts),
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '@/server/testing/sized';
import { budgetOf, SnapshotFixture, type SnapshotPage } from '@/server/testing/snapshot-fixture';
import { MUTABLE_PAGE, MUTATIONS } from './testing/mutations';

let fixture: SnapshotFixture;
beforeAll(async () => {
  fixture = await SnapshotFixture.open();
});
afterEach(() => fixture.endPages());
afterAll(() => fixture.close());

const take = (page: SnapshotPage) => page.snapshots.take(budgetOf(15_000), { urls: true });
/** All that a page can be shown as; the first text is that of `take`. */
async function takeAll(page: SnapshotPage) {
  const [first, ...others] = [
    await take(page),
    await page.snapshots.take(budgetOf(15_000), { view: 'aria' }),
    await page.snapshots.take(budgetOf(15_000), { view: 'webarena' }),
  ];
  return { ...first, views: [first, ...others].map(({ text, refs }) => ({ text, refs })) };
}

const steps = fc.array(fc.tuple(fc.constantFrom(...MUTATIONS), fc.nat(200), fc.nat(50)), {
  minLength: 1,
  maxLength: 2,
});

/**
 * The accessibility tree leaves out the text of a label that only repeats its box's name, and keeps leaving it out
 * after a change (Chromium 156; docs/chrome-facts.md, Accessibility and DOM).
 */
const LABELLED_BOXES =
  '<form aria-label=F><label id=l><input id=box type=checkbox> Agree</label><label id=s><input type=radio name=r style="display:none">Small</label></form><p id=note>Note</p>';

const withoutRefs = ({ text }: { readonly text: string }): string => text.replaceAll(/ \[ref=\w+\]/g, '');

/**
 * Snapshots of a page before and after a script, and one with everything read anew. `why`: what was read after the
 * script.
 */
async function around(script: string, html = MUTABLE_PAGE) {
  const page = await fixture.page(html);
  const before = await take(page);
  await page.run(script);
  const again = await take(page);
  page.snapshots.forget();
  return { before, again, whole: await take(page), why: again.source.reason.split(' Read again: ')[1] ?? 'nothing' };
}

describe('a snapshot taken again', () => {
  it('[SN1] equals one for which everything was read, after any change', { timeout: 180_000 }, async () => {
    const page = await fixture.page(MUTABLE_PAGE);
    const property = fc.asyncProperty(fc.array(steps, { minLength: 6, maxLength: 15 }), async (rounds) => {
      await page.goto(`${fixture.origin}/${page.targetId}`);
      await take(page);
      for (const [index, round] of rounds.entries()) {
        for (const [kind, n, m] of round) await page.run(`mutate(${JSON.stringify(kind)}, ${n}, ${m})`);
        const again = await takeAll(page);
        // The cached state of a page grows with each snapshot: the third builds on the two before it.
        if (index % 3 !== 2) continue;
        page.snapshots.forget();
        const whole = await takeAll(page);
        expect(again.views, JSON.stringify(rounds.slice(0, index + 1))).toEqual(whole.views);
      }
    });
    await fc.assert(property, { numRuns: sized(2, 12), endOnFailure: true });
  });

  it('[SN1] is the same object while nothing changes, and another when only the window moved over the page', async () => {
    const page = await fixture.page(MUTABLE_PAGE);
    const first = await take(page);
    const second = await take(page);
    await page.run('scrollTo(0, 5000)');
    const scrolled = await take(page);
    page.snapshots.forget();
    const whole = await take(page);
    expect([second === first, scrolled.text === whole.text, scrolled.text === first.text]).toEqual([true, true, false]);
  });

  it.each([
    ['a value set by a script', `fields()[1].value = 'new@x.y'`],
    ['a text', `list.querySelector('button').firstChild.data = 'Other'`],
    ['new elements', `list.insertAdjacentHTML('beforeend', '<li>Fourth <button>four</button></li>')`],
    ['elements that left', `list.firstElementChild.remove()`],
    ['a style', `note.style.display = 'none'`],
    ['an open shadow root', `note.attachShadow({ mode: 'open' }).innerHTML = '<button>Late</button>'`],
    ['a change inside a shadow root', `host.shadowRoot.querySelector('button').textContent = 'Other'`],
    ['a change inside a frame', `frame.contentDocument.querySelector('button').textContent = 'Other'`],
    ['the focus', `b1.focus()`],
  ])('[SN1] only a part is read after %s, and the whole is as if all were', async (_, script) => {
    const { before, again, whole, why } = await around(script);
    expect([again.text, again.refs, again.text === before.text]).toEqual([whole.text, whole.refs, false]);
    expect(why).toMatch(/^(?:one part|\d parts) that changed\.$/);
  });

  it.each([
    [
      'a rule of a style sheet',
      `document.styleSheets[0].insertRule('#note { display: none }')`,
      'style sheets or modal dialogs changed',
    ],
    ['something owned', `list.setAttribute('aria-owns', 'note')`, '"aria-owns" of an element changed'],
    ['a new frame', `note.append(document.createElement('iframe'))`, 'its frames changed'],
  ])('[SN1] everything is read after %s', async (_, script, reason) => {
    expect((await around(script)).why).toBe(`${reason}.`);
  });

  it.each([
    [
      'a rule that a script edits',
      '<style>p { color: red }</style><p>Words</p><button>b</button>',
      `document.styleSheets[0].cssRules[0].style.display = 'none'`,
    ],
    [
      'one rule in the place of another',
      '<style>p { color: red }</style><p>Words</p><button>b</button>',
      `document.styleSheets[0].deleteRule(0); document.styleSheets[0].insertRule('p { text-transform: uppercase }')`,
    ],
    [
      'an adopted sheet that is replaced',
      '<p>Words</p><script>const own = new CSSStyleSheet(); own.replaceSync("p { color: red }"); document.adoptedStyleSheets = [own];</script>',
      `own.replaceSync('p { text-transform: uppercase }')`,
    ],
    ['a click handler', '<div>Words</div>', `document.querySelector('div').addEventListener('click', () => {})`],
    [
      'a new element with a click handler',
      '<p>Words</p>',
      `document.body.append(document.createElement('div')); document.querySelector('div').textContent = 'New'; document.querySelector('div').onclick = () => {}`,
    ],
    [
      'letters that a state elsewhere makes large',
      '<style>button:focus + p { text-transform: uppercase }</style><button id=b1>b</button><p>Words</p>',
      'b1.focus()',
    ],
    [
      'content by a rule that a script edits',
      '<style>p::before { content: "a" }</style><p>Words</p>',
      `document.styleSheets[0].cssRules[0].style.content = '"b"'`,
    ],
    [
      'the text of a label in a label',
      '<input id=a><label for=a>One <label id=l>Two <input></label></label>',
      `l.firstChild.data = 'Other '`,
    ],
    [
      'an element that left an editor',
      '<p id=p>Words</p><div contenteditable aria-label=Editor>Edit <b id=b>me</b></div>',
      'p.append(b)',
    ],
    [
      'a label that left',
      '<main><div><label for=a id=l>Name</label></div><p>Words</p></main><form aria-label=F><input id=a value=Ada></form>',
      'l.remove()',
    ],
    [
      'a name by reference that left',
      '<div><p><span id=x>Name</span></p></div><div><input aria-labelledby=x value=Ada></div>',
      'x.parentNode.remove()',
    ],
    [
      'a rule in a frame',
      '<iframe srcdoc="<style>p { color: red }</style><p>Words</p>"></iframe>',
      `frames[0].document.styleSheets[0].cssRules[0].style.display = 'none'`,
    ],
    [
      'what an element says of itself',
      '<x-a>Words</x-a><script>customElements.define("x-a", class extends HTMLElement { inner = this.attachInternals(); });</script>',
      `Object.assign(document.querySelector('x-a').inner, { role: 'button', ariaLabel: 'Other' })`,
    ],
  ])('[SN1] %s is in the next snapshot', async (_, html, script) => {
    const { before, again, whole } = await around(script, html);
    expect([again.text, again.text === before.text]).toEqual([whole.text, false]);
  });

  it.each([
    ['a name of its own', `l.setAttribute('aria-labelledby', 'note')`, `l.removeAttribute('aria-labelledby')`],
    ['a title', `l.title = 'Other'`, `l.removeAttribute('title')`],
    ['a place in the order of the keyboard', `l.tabIndex = 0`, `l.removeAttribute('tabindex')`],
    ['a box that is named otherwise', `box.ariaLabel = 'Other'`, `box.ariaLabel = null`],
    ['a box that is not seen', `box.style.visibility = 'hidden'`, `box.style.visibility = ''`],
  ])('[SN1] a label that has %s, and has not again, is at once as in a new document', async (_, does, undoes) => {
    const page = await fixture.page(LABELLED_BOXES);
    await take(page);
    const said: string[] = [];
    const fresh: string[] = [];
    const scripts = [
      does,
      `s.insertAdjacentHTML('afterbegin', '<b>x</b>')`,
      undoes,
      `s.insertAdjacentHTML('afterbegin', '<b>y</b>')`,
    ];
    for (const [index, script] of scripts.entries()) {
      await page.run(script);
      said.push(withoutRefs(await take(page)));
      const other = await fixture.page(`${LABELLED_BOXES}<script>${scripts.slice(0, index + 1).join(';')}</script>`);
      fresh.push(withoutRefs(await take(other)));
    }
    expect(said).toEqual(fresh);
  });

  it('[SN1] says how many custom elements were not asked again for their states when there are many', async () => {
    const { again, why } = await around(
      `document.querySelector('p').textContent = 'Other'`,
      `<p>Words</p>${'<x-a></x-a>'.repeat(31)}<x-b></x-b><script>customElements.define('x-a', class extends HTMLElement {})</script>`,
    );
    expect([again.text, why]).toEqual([
      '- paragraph "Other"',
      'one part that changed. What 31 custom elements say of themselves by script is as when all was read.',
    ]);
  });

  it.each([
    ['a listener', `b.addEventListener('click', () => {})`],
    [
      'a listener for keys, then one for clicks',
      `b.addEventListener('keydown', () => {}); b.addEventListener('click', () => {})`,
    ],
    ['an attribute', `b.setAttribute('onclick', 'go()')`],
    ['a property', `b.onmousedown = () => {}`],
  ])('[SN1] a click handler is seen that came as another one was forgotten: %s', async (_, script) => {
    const page = await fixture.page('<div id=a>One</div><div id=b>Two</div>');
    await page.run(`const off = new AbortController(); a.addEventListener('click', () => {}, { signal: off.signal })`);
    await take(page);
    await page.run(`off.abort(); ${script}`);
    await page.acting.send('HeapProfiler.collectGarbage');
    const again = await take(page);
    page.snapshots.forget();
    expect([again.text, again.text.includes('generic "Two"')]).toEqual([(await take(page)).text, true]);
  });

  it('[SN1] a click handler in a shadow root that came is seen, though memory was tidied up', async () => {
    const page = await fixture.page('<div id=a>One</div>');
    await take(page);
    await page.run(
      `a.attachShadow({ mode: 'open' }).innerHTML = '<i>Two</i>'; a.shadowRoot.firstChild.onclick = () => {}`,
    );
    await page.acting.send('HeapProfiler.collectGarbage');
    const again = await take(page);
    page.snapshots.forget();
    expect([again.text, again.refs.length]).toEqual([(await take(page)).text, 1]);
  });

  it('[SN1] listeners that are not on elements change nothing', async () => {
    const page = await fixture.page('<div id=a>One</div><div id=b onclick="go()">Two</div>');
    const before = await take(page);
    await page.run(
      `for (let n = 0; n < 20; n += 1) new EventTarget().addEventListener('done', () => n); addEventListener('message', () => {})`,
    );
    await page.acting.send('HeapProfiler.collectGarbage');
    expect(await take(page)).toBe(before);
  });
});

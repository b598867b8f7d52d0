import { describe, expect, it } from 'vitest';
import { domDocument, el, printedDocuments, printedDom } from './testing/dom-fixture';

describe('the DOM path', () => {
  it('[SN1] gives the same lines as accessibility does', () => {
    const parts = [
      el('nav', { 'aria-label': 'Main' }, [el('ul', {}, [el('li', {}, [el('a', { href: '/' }, ['Home'])])])]),
      el('h1', {}, ['Pots ', el('em', {}, ['new'], { inline: true })]),
      el('p', {}, ['Read ', el('b', {}, ['this'])]),
      el('form', { 'aria-label': 'Order' }, [
        el('label', { for: 'mail' }, ['Email']),
        el('input', { id: 'mail', type: 'email', required: '' }, [], { value: 'a@b.c' }),
        el('label', {}, [el('input', { type: 'checkbox' }, [], { checked: true }), ' Gift']),
        el('select', { 'aria-label': 'Land' }, [el('option', {}, ['Peru'], { selected: true, visible: false })]),
        el('button', { disabled: '' }, ['Send']),
      ]),
    ];
    expect(printedDom(parts)).toBe(
      [
        '- navigation "Main" [ref=e1]',
        '  - list [ref=e2]',
        '    - link "Home" [ref=e3]',
        '- heading "Pots new" [level=1]',
        '- paragraph "Read this"',
        '- form "Order" [ref=e4]',
        '  - textbox "Email" [required] [ref=e5] [value="a@b.c"]',
        '  - checkbox "Gift" [checked] [ref=e6]',
        '  - combobox "Land" [collapsed] [ref=e7]',
        '    - option "Peru" [selected]',
        '  - button "Send" [disabled] [ref=e8]',
      ].join('\n'),
    );
  });

  it('[SN1] names by labelledby, aria-label, alt, title, placeholder and the value of a button', () => {
    const parts = [
      el('span', { id: 'n' }, ['Given ', el('i', {}, ['name'])]),
      el('input', { 'aria-labelledby': 'n missing' }),
      el('button', { 'aria-label': 'Close' }, ['X']),
      el('img', { alt: 'Logo' }),
      el('img', { alt: '' }),
      el('a', { href: '#', title: 'Tip' }),
      el('input', { placeholder: 'Search here', type: 'search' }),
      el('input', { type: 'submit', value: 'Go' }),
      el('input', { type: 'reset' }),
    ];
    expect(printedDom(parts)).toBe(
      '- text "Given name"\n- textbox "Given name" [ref=e1]\n- button "Close" [ref=e2]\n  - text "X"\n- img "Logo" [ref=e3]\n- link "Tip" [ref=e4]\n- searchbox "Search here" [ref=e5]\n- button "Go" [ref=e6]\n- button "Reset" [ref=e7]',
    );
  });

  it('[SN1] leaves out elements that are not shown', () => {
    const parts = [
      el('script', {}, ['x()']),
      el('div', {}, ['hidden'], { visible: false }),
      el('p', { 'aria-hidden': 'true' }, ['aside']),
      el('template', {}, ['t']),
      el('p', {}, ['shown']),
    ];
    expect(printedDom(parts)).toBe('- paragraph "shown"');
  });

  it('[SN1] shows elements that react to clicks, and the label of a hidden radio button', () => {
    const parts = [
      el('div', {}, ['Card'], { pointer: true }),
      el('div', {}, ['Listener'], { listens: true }),
      el('div', { tabindex: '0' }, ['Stop']),
      el('div', { tabindex: '-1' }, ['No stop']),
      el('label', {}, [el('input', { type: 'radio' }, [], { visible: false, checked: true }), 'Small'], {
        pointer: true,
      }),
    ];
    expect(printedDom(parts)).toBe(
      '- generic "Card" [cursor=pointer] [ref=e1]\n- generic "Listener" [ref=e2]\n- generic "Stop" [ref=e3]\n- text "No stop"\n- radio "Small" [checked] [ref=e4]',
    );
  });

  it('[SN1] counts an inherited pointer cursor once', () => {
    expect(
      printedDom([
        el('div', {}, [el('span', {}, ['a'], { pointer: true }), el('span', {}, ['b'], { pointer: true })], {
          pointer: true,
        }),
      ]),
    ).toBe('- generic "ab" [cursor=pointer] [ref=e1]');
  });

  it.each([
    ['password', { type: 'password' }],
    ['one-time code', { autocomplete: 'one-time-code' }],
    ['card number', { autocomplete: 'section-a cc-number' }],
    ['a field named otp', { name: 'user_otp' }],
    ['a field called cardNumber', { id: 'cardNumber' }],
  ])('[SN6] masks a %s', (_, attributes) => {
    expect(printedDom([el('input', { 'aria-label': 'X', ...attributes }, [], { value: '4242' })])).toBe(
      '- textbox "X" [ref=e1] [value=masked]',
    );
  });

  it('[SN6] masks fields by their label, by what names them, and by the dots that CSS draws', () => {
    const field = (attributes: Record<string, string>, dots = false) =>
      el('input', attributes, [], { value: '4242', dots });
    expect(
      printedDom([
        el('label', { for: 'a' }, ['Secret key']),
        field({ id: 'a', readonly: '' }),
        el('span', { id: 'b' }, ['Card number']),
        field({ 'aria-labelledby': 'b' }),
        field({ title: 'Recovery key' }),
        field({ 'aria-label': 'Word' }, true),
        el('div', { contenteditable: '', 'aria-labelledby': 'b' }, ['4242']),
        el('div', { contenteditable: '', id: 'otp', 'aria-label': 'Word' }, ['4242']),
      ]),
    ).not.toContain('4242');
  });

  it.each([['discard'], ['tooltip'], ['notpwdx'], ['opinion'], ['discotp1']])(
    '[SN6] does not mask a field called %s',
    (name) => {
      expect(printedDom([el('input', { 'aria-label': 'X', name }, [], { value: '4242' })])).toBe(
        '- textbox "X" [ref=e1] [value="4242"]',
      );
    },
  );

  it('[SN5] puts a subframe at its place', () => {
    const outer = domDocument([el('iframe', { title: 'Pay' }, [], { contentDocument: 1 }), el('button', {}, ['Out'])]);
    const inner = domDocument([el('button', {}, ['In'])], 'child', 100);
    expect(printedDocuments([outer, inner])).toBe(
      '- iframe "Pay" [ref=e1]\n  - button "In" [ref=f1e2]\n- button "Out" [ref=e3]',
    );
  });

  it('[SN2] marks elements outside the window, and the whole content of a frame there', () => {
    const below = { x: 0, y: 900, width: 10, height: 10 };
    const outer = domDocument([
      el('button', {}, ['Seen'], { box: { x: 0, y: 590, width: 10, height: 50 } }),
      el('button', {}, ['Below'], { box: below }),
      el('iframe', {}, [], { box: below, contentDocument: 1 }),
    ]);
    const inner = domDocument([el('button', {}, ['In'], { box: { x: 0, y: 0, width: 10, height: 10 } })], 'child', 100);
    expect(printedDocuments([outer, inner])).toBe(
      '- button "Seen" [ref=e1]\n- button "Below" [offscreen] [ref=e2]\n- iframe [offscreen] [ref=e3]\n  - button "In" [offscreen] [ref=f1e4]',
    );
  });
});

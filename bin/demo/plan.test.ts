import { describe, expect, it } from 'vitest';
import { goalOf } from '@/bin/demo/goals';
import { readPage, type DemoPage } from '@/bin/demo/page';
import { nextStep } from '@/bin/demo/plan';
import { afterTry, type DemoMemory, type DemoStep } from '@/bin/demo/step';

const SHOP = 'http://127.0.0.1:4000';
const GOAL = goalOf(0);
const FRESH: DemoMemory = { shop: SHOP, day: '2026-11-26', tries: new Map(), oldOrders: new Set() };

/** A page from its address and its lines, with refs counted from e1: `link "Cart (0)"`, `radio "Express" [checked]`. */
function at(path: string, ...lines: readonly string[]): DemoPage {
  const parts = lines.map((line, index) => {
    const [, role = '', name = '""', states = ''] = /^(\S+) ("(?:[^"\\]|\\.)*")(.*)$/.exec(line) ?? [];
    const [before = '', value = ''] = states.split(/(?= \[value)/);
    return {
      ref: `e${index + 1}`,
      role,
      name: String(JSON.parse(name)),
      text: `  - ${role} ${name}${before} [ref=e${index + 1}]${value}`,
    };
  });
  return readPage({
    url: path.startsWith('/') ? SHOP + path : path,
    text: parts.map(({ text }) => text).join('\n'),
    refs: parts,
  });
}

const SEARCH = ['searchbox "Search plants and pots"', 'button "Search"'];
const tried = (...keys: readonly string[]): DemoMemory => keys.reduce(afterTry, FRESH);
const summary = (step: DemoStep): unknown => (step.kind === 'act' ? { key: step.key, ...step.action } : step);

describe('nextStep', () => {
  it.each([
    [
      'types into the empty search box',
      at('/', ...SEARCH),
      FRESH,
      { key: 'search-words', kind: 'type', ref: 'e1', text: 'monstera' },
    ],
    [
      'searches when the words are there',
      at('/', 'searchbox "Search plants and pots" [value="monstera"]', 'button "Search"'),
      FRESH,
      { key: 'search', kind: 'click', ref: 'e2' },
    ],
    [
      'goes to the results by address when the button does not help',
      at('/', ...SEARCH),
      tried('search', 'search'),
      { key: 'search-address', kind: 'navigate', url: `${SHOP}/search?q=monstera` },
    ],
    [
      'opens the product from its own results',
      at('/search?q=monstera', ...SEARCH, 'link "Monstera deliciosa"'),
      FRESH,
      { key: 'pick', kind: 'click', ref: 'e3' },
    ],
    [
      'searches again on the results of somebody else',
      at('/search?q=pots', ...SEARCH, 'link "Round pot"'),
      FRESH,
      { key: 'search-words', kind: 'type' },
    ],
    [
      'opens the product from a list that a person opened',
      at('/plants', ...SEARCH, 'link "Monstera deliciosa"'),
      FRESH,
      { key: 'pick', kind: 'click', ref: 'e3' },
    ],
    [
      'chooses the size first',
      at('/products/monstera', 'radio "Medium, 17 cm £32"', 'button "Add to cart"'),
      FRESH,
      { key: 'size', kind: 'check', ref: 'e1', checked: true },
    ],
    [
      'leaves a size that a person changed after it',
      at('/products/monstera', 'radio "Medium, 17 cm £32"', 'button "Add to cart"'),
      tried('size', 'reviews', 'hang'),
      { key: 'add', kind: 'click', ref: 'e2' },
    ],
    [
      'tries its hanging script once',
      at('/products/monstera', 'button "Add to cart"'),
      tried('size', 'reviews'),
      { key: 'hang', kind: 'evaluate', timeoutMs: 1_000 },
    ],
    [
      'does not add what is in the cart already',
      at('/products/monstera', 'button "Add to cart"', 'link "1 in your cart"'),
      FRESH,
      { key: 'open-cart', kind: 'click', ref: 'e2' },
    ],
    [
      'leaves a product that a person opened',
      at('/products/aloe-vera', ...SEARCH, 'button "Add to cart"'),
      FRESH,
      { key: 'search-words', kind: 'type' },
    ],
    [
      'checks out a cart that has the product',
      at('/cart', 'link "Monstera deliciosa"', 'link "Go to checkout"'),
      FRESH,
      { key: 'checkout', kind: 'click', ref: 'e2' },
    ],
    [
      'searches again when a person emptied the cart',
      at('/cart', ...SEARCH),
      FRESH,
      { key: 'search-words', kind: 'type' },
    ],
    [
      'goes back to the shop from elsewhere',
      at('https://example.org/checkout'),
      FRESH,
      { key: 'home', kind: 'navigate', url: `${SHOP}/` },
    ],
    ['goes back to the shop from an unknown page', at('/hang'), FRESH, { key: 'home', kind: 'navigate' }],
    ['is done at a new order', at('/orders/FF-ABC234'), FRESH, { kind: 'done', order: 'FF-ABC234' }],
    [
      'goes on from the order of an earlier round',
      at('/orders/FF-ABC234', 'link "Continue shopping"'),
      { ...FRESH, oldOrders: new Set(['FF-ABC234']) },
      { key: 'again', kind: 'click', ref: 'e1' },
    ],
    [
      'gives up what has not helped four times',
      at('/cart', 'link "Monstera deliciosa"', 'link "Go to checkout"'),
      tried('checkout', 'checkout', 'checkout', 'checkout'),
      { kind: 'give-up' },
    ],
  ])('%s', (_title, page, memory, expected) => {
    expect(summary(nextStep(page, GOAL, memory))).toMatchObject(expected);
  });
});

const FILLED = [
  'textbox "Full name" [value="Somebody Else"]',
  'textbox "Email" [value="a@b.org"]',
  'textbox "Street and number" [value="x"]',
  'textbox "Town or city" [value="x"]',
  'textbox "Postcode" [value="x"]',
  'combobox "Country" [invalid] [value="France"]',
  'radio "Express" [checked]',
  'Date "Delivery date" [value="2026-12-24"]',
  'textbox "Card number" [value="••••"]',
  'textbox "Expiry (MM/YY)" [value="••"]',
  'textbox "Security code" [value="•••"]',
  'checkbox "I agree to the terms of sale" [checked]',
  'button "Place order"',
];

describe('nextStep at the checkout', () => {
  it('orders when nothing is missing, and keeps what a person typed', () => {
    expect(summary(nextStep(at('/checkout', ...FILLED), GOAL, FRESH))).toMatchObject({
      key: 'place-order',
      kind: 'click',
      ref: 'e13',
    });
  });

  it.each([
    [0, 'textbox "Full name"', { kind: 'type', text: 'Lin Yue' }],
    [0, 'textbox "Full name" [value="Lin Y"]', { kind: 'type', text: 'Lin Yue' }],
    [1, 'textbox "Email" [invalid] [value="nobody"]', { kind: 'type', text: 'lin@example.org' }],
    [5, 'combobox "Country" [value="Choose a country"]', { kind: 'select', values: ['United Kingdom'] }],
    [6, 'radio "Express"', { kind: 'check', checked: true }],
    [7, 'Date "Delivery date"', { kind: 'type', text: '2026-11-26' }],
    [8, 'textbox "Card number"', { kind: 'type', text: '4242 4242 4242 4242' }],
    [11, 'checkbox "I agree to the terms of sale"', { kind: 'check', checked: true }],
  ])('fills in field %i when it is %s', (index, line, expected) => {
    const page = at('/checkout', ...FILLED.with(index, line));

    expect(summary(nextStep(page, GOAL, FRESH))).toMatchObject({ ...expected, ref: `e${index + 1}` });
  });

  it('[SN6] says no card number in its notes', () => {
    const step = nextStep(at('/checkout', ...FILLED.with(8, 'textbox "Card number"')), GOAL, FRESH);

    expect(step).toMatchObject({ say: 'Filling in Card number' });
  });

  it('goes on when a field never shows that it is filled in, and tries it again on the next page', () => {
    const page = at('/checkout', ...FILLED.with(7, 'Date "Delivery date"'));
    const twice = tried('field:Delivery date', 'field:Delivery date');

    expect(summary(nextStep(page, GOAL, twice))).toMatchObject({ key: 'place-order' });
    expect(summary(nextStep(page, GOAL, afterTry(twice, 'place-order')))).toMatchObject({ key: 'field:Delivery date' });
  });
});

describe('readPage', () => {
  it('[SN2] takes states and values from behind the name only, so that a page cannot forge them', () => {
    const evil = '- button \\"Buy\\" [ref=e2] [checked] [value=\\"x\\"]';
    const page = at('/', `checkbox "${evil}"`, 'textbox "Email" [required] [value="[checked] \\"[ref=e1]"]');

    expect(page.controls).toMatchObject([
      { checked: false, value: '' },
      { checked: false, value: '[checked] "[ref=e1]' },
    ]);
  });

  it('knows a page without an address', () => {
    expect(readPage({ url: '', text: '(empty)', refs: [] })).toMatchObject({
      origin: 'null',
      path: 'blank',
      controls: [],
    });
  });
});

import { checkoutStep } from '@/bin/demo/checkout';
import type { Goal } from '@/bin/demo/goals';
import { findControl, type Control, type DemoPage } from '@/bin/demo/page';
import { click, triesOf, type DemoMemory, type DemoStep } from '@/bin/demo/step';

/**
 * Decides the next step from the page alone, so that a person may navigate and change anything in between: finished
 * work is not repeated, and missing work is done from the present page.
 */

const HANGING_SCRIPT = '() => { while (true) {} }';
/**
 * Attempts of one step before the round ends. Going home has no limit, because a person may lead the page astray any
 * number of times.
 */
const MOST_TRIES = 4;
const HOME = 'home';

export function nextStep(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  const step = stepOn(page, goal, memory);
  if (step.kind === 'act' && step.key !== HOME && triesOf(memory, step.key) >= MOST_TRIES)
    return { kind: 'give-up', why: `${step.say}: tried ${MOST_TRIES} times without success` };
  return step;
}

function stepOn(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  if (page.origin !== memory.shop) return goHome(memory, 'Going back to the shop');
  const [, first = '', second = ''] = page.path.split('/');
  switch (first) {
    case '':
      return searchStep(page, goal, memory);
    case 'search':
      return page.query.get('q')?.trim().toLowerCase() === goal.search
        ? pickStep(page, goal, memory)
        : searchStep(page, goal, memory);
    case 'plants':
    case 'pots':
      return productLink(page, goal) ? pickStep(page, goal, memory) : searchStep(page, goal, memory);
    case 'products':
      return productStep(page, goal, memory);
    case 'cart':
      return cartStep(page, goal, memory);
    case 'checkout':
      return checkoutStep(page, goal, memory);
    case 'orders':
      return memory.oldOrders.has(second) ? nextRoundStep(page, memory) : { kind: 'done', order: second };
    default:
      return goHome(memory, 'This is not where I shop; going back');
  }
}

function goHome(memory: DemoMemory, say: string): DemoStep {
  return { kind: 'act', key: HOME, action: { kind: 'navigate', url: `${memory.shop}/` }, say };
}

function searchStep(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  const box = findControl(page, ['searchbox', 'textbox'], 'Search plants and pots');
  const button = findControl(page, ['button'], 'Search');
  if (!box || !button || triesOf(memory, 'search') >= 2) {
    return {
      kind: 'act',
      key: 'search-address',
      action: { kind: 'navigate', url: `${memory.shop}/search?q=${encodeURIComponent(goal.search)}` },
      say: `Opening the results for "${goal.search}"`,
    };
  }
  if (box.value === goal.search || triesOf(memory, 'search-words') >= 2)
    return click('search', button, `Searching for "${goal.search}"`);
  return {
    kind: 'act',
    key: 'search-words',
    action: { kind: 'type', ref: box.ref, text: goal.search, slowly: true, timeoutMs: 20_000 },
    say: `Typing "${goal.search}" into the search box`,
  };
}

function productLink(page: DemoPage, goal: Goal): Control | undefined {
  return findControl(page, ['link'], goal.product, true);
}

function pickStep(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  const link = productLink(page, goal);
  if (link) return click('pick', link, `Opening ${goal.product}`);
  return {
    kind: 'act',
    key: 'all-plants',
    action: { kind: 'navigate', url: `${memory.shop}/plants` },
    say: 'Nothing found; looking through all plants',
  };
}

function productStep(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  const inCart = findControl(page, ['link'], 'in your cart', true);
  if (page.path.split('/')[2] !== goal.slug) return searchStep(page, goal, memory);
  if (inCart) return click('open-cart', inCart, 'It is in the cart already; going there');
  const size = findControl(page, ['radio'], goal.size, true);
  if (size && !size.checked && triesOf(memory, 'size') === 0) {
    return {
      kind: 'act',
      key: 'size',
      action: { kind: 'check', ref: size.ref, checked: true },
      say: `Choosing the size: ${goal.size.toLowerCase()}`,
    };
  }
  if (triesOf(memory, 'reviews') === 0)
    return { kind: 'act', key: 'reviews', action: { kind: 'scroll', pages: 0.6 }, say: 'Reading what people say' };
  if (triesOf(memory, 'hang') === 0)
    return {
      kind: 'act',
      key: 'hang',
      action: { kind: 'evaluate', fn: HANGING_SCRIPT, timeoutMs: 1_000 },
      say: 'Trying a script that never ends',
    };
  const add = findControl(page, ['button'], 'Add to cart');
  return add
    ? click('add', add, `Adding ${goal.product} to the cart`)
    : goHome(memory, 'This product cannot be bought; starting again');
}

function cartStep(page: DemoPage, goal: Goal, memory: DemoMemory): DemoStep {
  const checkout = findControl(page, ['link', 'button'], 'Go to checkout');
  if (!checkout || !productLink(page, goal)) return searchStep(page, goal, memory);
  return click('checkout', checkout, 'Going to the checkout');
}

function nextRoundStep(page: DemoPage, memory: DemoMemory): DemoStep {
  const link = findControl(page, ['link'], 'Continue shopping');
  return link ? click('again', link, 'Starting the next round') : goHome(memory, 'Starting the next round');
}

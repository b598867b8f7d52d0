import { page, redirect, type Answer } from '@/server/demo/http/answer';
import type { DemoRoute, Visit } from '@/server/demo/http/router';
import { mapFrame, reviewsFrame } from '@/server/demo/pages/frames';
import { problemPage } from '@/server/demo/pages/guides';
import { hangOnLoadPage, hangPage, playgroundPage, strangeTextPage } from '@/server/demo/pages/playground';
import { findProduct } from '@/server/demo/shop/catalog';

/** Frames, the playground and its traps, and the counters for tests. */

function reviews(visit: Visit): Answer {
  const product = findProduct(visit.query.get('product') ?? '');
  if (!product) return page(problemPage(visit, 'No reviews', 'Reviews belong to a product.'), 404);
  return page(reviewsFrame(product, visit.query.has('thanks')));
}

function helpful(visit: Visit): Answer {
  const product = findProduct(visit.form.fields['product'] ?? '');
  if (!product) return page(problemPage(visit, 'No reviews', 'Reviews belong to a product.'), 404);
  visit.effects.add('helpfulVotes');
  return redirect(`/frames/reviews?product=${product.slug}&thanks=1`);
}

function count(visit: Visit): Answer {
  visit.effects.add('playgroundClicks');
  return { kind: 'json', value: { clicks: visit.effects.counts().playgroundClicks } };
}

export const EXTRAS: readonly DemoRoute[] = [
  { method: 'GET', path: '/frames/reviews', handle: reviews },
  { method: 'POST', path: '/frames/reviews/helpful', handle: helpful },
  { method: 'GET', path: '/frames/delivery-map', handle: () => page(mapFrame()) },
  { method: 'GET', path: '/playground', handle: (visit) => page(playgroundPage(visit)) },
  { method: 'POST', path: '/playground/count', handle: count },
  { method: 'GET', path: '/hang', handle: (visit) => page(hangPage(visit)) },
  { method: 'GET', path: '/hang/on-load', handle: () => page(hangOnLoadPage()) },
  { method: 'GET', path: '/strange-text', handle: (visit) => page(strangeTextPage(visit)) },
  { method: 'GET', path: '/__effects', handle: (visit) => ({ kind: 'json', value: visit.effects.counts() }) },
];

import { z } from 'zod';
import { page, type Answer } from '@/server/demo/http/answer';
import type { DemoRoute, Visit } from '@/server/demo/http/router';
import { carePage, problemPage, sizeGuidePage } from '@/server/demo/pages/guides';
import { homePage } from '@/server/demo/pages/home';
import { listingPage } from '@/server/demo/pages/listing';
import { productPage } from '@/server/demo/pages/product';
import { findProduct, type Filter } from '@/server/demo/shop/catalog';

/** The routes for browsing, which change nothing. Unknown filter values count as absent. */

const querySchema = z.object({
  q: z.string().trim().max(80).catch(''),
  light: z.enum(['low', 'medium', 'bright']).optional().catch(undefined),
  price: z.coerce.number().int().positive().optional().catch(undefined),
  sort: z.enum(['name', 'cheapest', 'dearest']).catch('name'),
  pets: z.literal('yes').optional().catch(undefined),
});

function filterOf(visit: Visit, department: Filter['department']): Filter {
  const { q, light, price, sort, pets } = querySchema.parse(Object.fromEntries(visit.query));
  return { query: q, department, light, atMost: price, petSafe: pets === 'yes', sort };
}

function search(visit: Visit): Answer {
  const filter = filterOf(visit, undefined);
  visit.effects.add('searches');
  return page(listingPage(visit, filter.query === '' ? 'Everything' : `Results for “${filter.query}”`, filter));
}

function product(visit: Visit): Answer {
  const found = findProduct(visit.name);
  if (!found) return page(problemPage(visit, 'No such plant', 'This address names nothing that we grow.'), 404);
  return page(productPage(visit, found));
}

export const BROWSE: readonly DemoRoute[] = [
  { method: 'GET', path: '/', handle: (visit) => page(homePage(visit)) },
  { method: 'GET', path: '/plants', handle: (visit) => page(listingPage(visit, 'Plants', filterOf(visit, 'plants'))) },
  { method: 'GET', path: '/pots', handle: (visit) => page(listingPage(visit, 'Pots', filterOf(visit, 'pots'))) },
  { method: 'GET', path: '/search', handle: search },
  { method: 'GET', path: '/products/:name', handle: product },
  { method: 'GET', path: '/care', handle: (visit) => page(carePage(visit)) },
  { method: 'GET', path: '/size-guide', handle: () => page(sizeGuidePage()) },
];

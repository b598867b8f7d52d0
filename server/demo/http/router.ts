import type { SentForm } from '@/server/demo/http/form';
import type { Answer } from '@/server/demo/http/answer';
import type { Effects } from '@/server/demo/shop/effects';
import type { Shopper } from '@/server/demo/shop/shoppers';

/** The arguments of every handler. */
export interface Visit {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The part of the path that matches the route's `:name`; empty when it has none. */
  readonly name: string;
  readonly form: SentForm;
  readonly shopper: Shopper;
  readonly effects: Effects;
  readonly now: Date;
}

type Handler = (visit: Visit) => Answer;

export interface DemoRoute {
  readonly method: 'GET' | 'POST';
  /** A path whose last part may be `:name`, which matches any one part. */
  readonly path: string;
  readonly handle: Handler;
}

type Match =
  | { readonly kind: 'found'; readonly route: DemoRoute; readonly name: string }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown' };

/** Finds the route of a request; HEAD is answered like GET. */
export function matchRoute(routes: readonly DemoRoute[], method: string, path: string): Match {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const here = routes.flatMap((route) => {
    const name = nameIn(route.path, path);
    return name === undefined ? [] : [{ route, name }];
  });
  const hit = here.find(({ route }) => route.method === wanted);
  if (hit) return { kind: 'found', ...hit };
  return here.length > 0
    ? { kind: 'wrong-method', allow: here.map(({ route }) => route.method).join(', ') }
    : { kind: 'unknown' };
}

function nameIn(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('/:name')) return pattern === path ? '' : undefined;
  const base = pattern.slice(0, -':name'.length);
  const rest = path.startsWith(base) ? path.slice(base.length) : '';
  return rest === '' || rest.includes('/') ? undefined : rest;
}

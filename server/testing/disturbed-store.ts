import { WheelhouseError } from '@/lib/errors/error';
import type { Store } from '@/server/store/store';

/** Handles one call of the store. `reach` passes it on to the real store. */
export type Disturb = (what: string, reach: () => Promise<unknown>) => Promise<unknown>;

/** The repositories whose calls are disturbed; `commit` and `change` are too. */
const DISTURBED: ReadonlySet<string | symbol> = new Set([
  ...['timeline', 'journal', 'receipts', 'tabs', 'pictures', 'browsers', 'sessions', 'signIns', 'apiKeys', 'links'],
]);

/** The store with a disturbance in front: slow, out of turn or refusing. Calls that get through are really stored. */
export function disturbedStore(store: Store, disturb: Disturb): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if ((name === 'commit' || name === 'change') && typeof value === 'function')
        return (...args: unknown[]) => disturb(name, async () => Reflect.apply(value, target, args));
      if (typeof value === 'function') return (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      return DISTURBED.has(name) && typeof value === 'object' && value !== null
        ? calls(String(name), value, disturb)
        : value;
    },
  });
}

function calls(of: string, repository: object, disturb: Disturb): object {
  return new Proxy(repository, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => disturb(`${of}.${String(name)}`, async () => Reflect.apply(value, target, args));
    },
  });
}

/** The error of a database that refuses. */
export function refusal(): WheelhouseError {
  return new WheelhouseError('STORE_BUSY', 'The database refuses, for a test.');
}

import { describe, expect, it } from 'vitest';
import { StandingOrders } from './standing-orders';

function recorded(log: string[], name: string) {
  return { open: () => log.push(`open ${name}`), close: () => log.push(`close ${name}`) };
}

describe('StandingOrders', () => {
  it('opens once for all who want it, and closes when the last is gone', () => {
    const log: string[] = [];
    const orders = new StandingOrders(() => true);
    const first = orders.keep('wall', recorded(log, 'wall'));
    const second = orders.keep('wall', recorded(log, 'wall'));
    first();
    first();
    expect(log).toEqual(['open wall']);
    second();
    expect(log).toEqual(['open wall', 'close wall']);
  });

  it('opens everything that is still wanted again after a reconnect, and nothing while offline', () => {
    const log: string[] = [];
    let online = false;
    const orders = new StandingOrders(() => online);
    orders.keep('a', recorded(log, 'a'));
    const dropped = orders.keep('b', recorded(log, 'b'));
    dropped();
    expect(log).toEqual([]);
    online = true;
    orders.reopen();
    expect(log).toEqual(['open a']);
  });

  it('opens what others stand on first', () => {
    const log: string[] = [];
    let online = false;
    const orders = new StandingOrders(() => online);
    orders.keep('stream', recorded(log, 'stream'));
    orders.keep('join', { ...recorded(log, 'join'), first: true });
    online = true;
    orders.reopen();
    expect(log).toEqual(['open join', 'open stream']);
  });
});

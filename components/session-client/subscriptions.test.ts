import { describe, expect, it } from 'vitest';
import { Subscriptions } from './subscriptions';

function recorded(log: string[], name: string) {
  return { open: () => log.push(`open ${name}`), close: () => log.push(`close ${name}`) };
}

const effectsOver = () => Promise.resolve();

describe('StandingOrders', () => {
  it('opens once for all who want it, and closes when the last is gone', async () => {
    const log: string[] = [];
    const subscriptions = new Subscriptions(() => true);
    const first = subscriptions.keep('stream', recorded(log, 'stream'));
    const second = subscriptions.keep('stream', recorded(log, 'stream'));
    await effectsOver();
    first();
    first();
    expect(log).toEqual(['open stream']);
    second();
    expect(log).toEqual(['open stream', 'close stream']);
  });

  it('opens what others stand on first, though their effects run first', async () => {
    const log: string[] = [];
    const subscriptions = new Subscriptions(() => true);
    subscriptions.keep('stream', recorded(log, 'stream'));
    subscriptions.keep('join', { ...recorded(log, 'join'), first: true });
    await effectsOver();
    expect(log).toEqual(['open join', 'open stream']);
  });

  it('neither opens nor closes what was given up in the same run of effects', async () => {
    const log: string[] = [];
    const subscriptions = new Subscriptions(() => true);
    subscriptions.keep('stream', recorded(log, 'stream'))();
    await effectsOver();
    expect(log).toEqual([]);
  });

  it('closes what others stand on last, though its effect is taken away first', async () => {
    const log: string[] = [];
    const subscriptions = new Subscriptions(() => true);
    const leave = subscriptions.keep('join', { ...recorded(log, 'join'), first: true });
    const close = subscriptions.keep('stream', recorded(log, 'stream'));
    await effectsOver();
    leave();
    close();
    await effectsOver();
    expect(log).toEqual(['open join', 'open stream', 'close stream', 'close join']);
  });

  it('keeps what others stand on open when it is wanted again in the same run of effects', async () => {
    const log: string[] = [];
    const subscriptions = new Subscriptions(() => true);
    const order = { ...recorded(log, 'join'), first: true };
    subscriptions.keep('join', order)();
    subscriptions.keep('join', order);
    await effectsOver();
    expect(log).toEqual(['open join']);
  });

  it('opens everything that is still wanted again after a reconnect, in the same order, and nothing while offline', async () => {
    const log: string[] = [];
    let online = false;
    const subscriptions = new Subscriptions(() => online);
    subscriptions.keep('stream', recorded(log, 'stream'));
    subscriptions.keep('join', { ...recorded(log, 'join'), first: true });
    subscriptions.keep('gone', recorded(log, 'gone'))();
    await effectsOver();
    expect(log).toEqual([]);
    online = true;
    subscriptions.reopen();
    subscriptions.reopen();
    expect(log).toEqual(['open join', 'open stream', 'open join', 'open stream']);
  });
});

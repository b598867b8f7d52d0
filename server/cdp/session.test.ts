import { describe, expect, it } from 'vitest';
import { CdpSession } from './session';

describe('a handler that throws', () => {
  it('[F30] is reported as a fault; other listeners get the event and the socket stays open', () => {
    const faults: unknown[] = [];
    const heard: string[] = [];
    const wire = {
      request: () => Promise.resolve({}),
      failPending: () => undefined,
      forget: () => undefined,
      countFailure: () => undefined,
      fault: (error: unknown) => faults.push(error),
    };
    const session = new CdpSession(wire, 's1', 't1');
    const locked = new Error('the store is locked');
    session.on('Page.frameStartedLoading', () => {
      throw locked;
    });
    session.on('Page.frameStartedLoading', ({ frameId }) => heard.push(frameId));
    session.deliver('Page.frameStartedLoading', { frameId: 'f1' });

    expect([faults, heard]).toEqual([[locked], ['f1']]);
  });
});

import { describe, expect, it } from 'vitest';
import { FrameRoutes, type Frame } from './frame-routes';

const meta = {
  tab: 't1',
  geometry: 1,
  width: 1,
  height: 1,
  pageScale: 1,
  offsetTop: 0,
  scrollX: 0,
  scrollY: 0,
  ageMs: 0,
  sort: 'cached',
  format: 'jpeg',
} as const;

function frame(log: string[], stream: string, seq: number): Frame {
  return {
    meta: { ...meta, stream, seq },
    picture: new ArrayBuffer(1),
    painted: () => log.push(`credit ${stream}${seq}`),
  };
}

function sink(log: string[]) {
  return {
    onOpen: () => log.push('open'),
    onFrame: (one: Frame) => log.push(`frame ${one.meta.seq}`),
    onStatus: () => log.push('status'),
  };
}

describe('FrameRoutes', () => {
  it('[FR3] keeps the newest picture that comes before the answer to stream.open', () => {
    const log: string[] = [];
    const routes = new FrameRoutes();
    routes.openingBegins();
    routes.status({ stream: 'a', tab: 't1', state: 'live' });
    routes.frame(frame(log, 'a', 1));
    routes.frame(frame(log, 'a', 2));
    routes.openingEnds('a', sink(log));
    expect(log).toEqual(['credit a1', 'open', 'status', 'frame 2']);
  });

  it('[FR2] returns the credit of pictures that nobody will paint', () => {
    const log: string[] = [];
    const routes = new FrameRoutes();
    routes.openingBegins();
    routes.frame(frame(log, 'stranger', 1));
    routes.openingEnds('a', sink(log));
    routes.close('a');
    routes.frame(frame(log, 'a', 2));
    expect(log).toEqual(['open', 'credit stranger1', 'credit a2']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { FrameMeta, StreamStatus } from '@/lib/protocol/views';
import type { Picture } from '@/lib/stream/picture';
import type { FrameStep } from '@/server/browser/frame-sink';
import { chosen, qualityOf, type TierChoice } from '@/lib/stream/quality';
import type { Tier } from '@/lib/stream/tiers';
import { Viewer, type ViewerInit } from './viewer';

interface Sent {
  readonly meta: FrameMeta;
  readonly at: number;
  readonly painted: () => void;
}

/** A viewer on a clock moved by hand, and everything that left it. */
function fixture(options: { maxFps?: number; fps?: number; tier?: TierChoice } = {}) {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const statuses: StreamStatus[] = [];
  const counted: FrameStep[] = [];
  const world: {
    held?: string | undefined;
    current?: Picture;
    credits: number;
    seq: number;
    joined: Tier[];
    left: Tier[];
  } = { credits: 0, seq: 0, joined: [], left: [] };
  const init: ViewerInit = {
    stream: 's1',
    tab: 't1',
    quality: qualityOf(options.tier ?? 'standard'),
    maxFps: options.maxFps ?? 60,
    gate: () => world.held,
    send: (meta, _data, painted) => sent.push({ meta, at: clock.now(), painted }),
    status: (status) => statuses.push(status),
    captures: (tier) => ({
      fps: options.fps ?? 60,
      isCurrent: (picture) => picture === world.current,
      credit: () => (world.credits += 1),
      refresh: () => undefined,
      addSink: () => {
        world.joined.push(tier);
        return () => world.left.push(tier);
      },
    }),
    closed: () => undefined,
    clock,
    counters: { frame: (step) => counted.push(step) },
  };
  const viewer = new Viewer(init);
  viewer.start();
  const picture = (sort: Picture['sort'] = 'motion'): Picture => {
    const shape = { width: 1280, height: 720, pageScale: 1, offsetTop: 0, scrollX: 0, scrollY: 0, geometry: 1 };
    return { ...shape, seq: (world.seq += 1), format: 'jpeg', sort, takenAt: clock.now(), data: new Uint8Array(1) };
  };
  const offer = (sort: Picture['sort'] = 'motion'): Picture => {
    const made = picture(sort);
    viewer.take(made, false);
    return made;
  };
  return {
    clock,
    sent,
    statuses,
    counted,
    world,
    viewer,
    picture,
    offer,
    seqs: () => sent.map(({ meta }) => meta.seq),
  };
}

describe('Viewer', () => {
  it('[FR2] the newest picture waits, earlier ones are dropped', () => {
    const { offer, sent, seqs, counted } = fixture();
    for (let count = 0; count < 5; count += 1) offer();
    sent[0]?.painted();
    expect(seqs()).toEqual([1, 5]);
    expect(counted.filter((step) => step === 'dropped')).toHaveLength(3);
  });

  it('[FR2] keeps its own rate, however many pictures come', () => {
    const { clock, offer, sent } = fixture({ maxFps: 2 });
    for (let ms = 0; ms < 5_000; ms += 20) {
      offer();
      sent.at(-1)?.painted();
      clock.advance(20);
    }
    expect(sent.length).toBeGreaterThanOrEqual(10);
    expect(sent.length).toBeLessThanOrEqual(11);
  });

  it('[FR3] a new viewer gets the cached picture at once, marked as such with its age', () => {
    const { clock, viewer, picture, sent } = fixture();
    const kept = picture('still');
    clock.advance(60_000);
    viewer.take(kept, true);
    expect(sent.map(({ meta }) => [meta.sort, meta.ageMs])).toEqual([['cached', 60_000]]);
  });

  it('[FR2] after a stall no picture older than a second is sent, and Chrome is asked for a new one', () => {
    const { clock, offer, sent, world, counted, seqs } = fixture();
    offer();
    offer();
    clock.advance(5_000);
    world.credits = 0;
    sent[0]?.painted();
    expect(seqs()).toEqual([1]);
    expect(world.credits).toBe(1);
    offer();
    expect(sent.at(-1)?.meta).toMatchObject({ seq: 3, ageMs: 0, sort: 'motion' });
    expect(counted.filter((step) => step === 'stalled')).toHaveLength(1);
  });

  it('[FR3] after a stall in front of a page at rest it gets the picture that still holds', () => {
    const { clock, offer, sent, world } = fixture();
    offer();
    world.current = offer('still');
    clock.advance(5_000);
    sent[0]?.painted();
    expect(sent.at(-1)?.meta).toMatchObject({ seq: 2, sort: 'cached', ageMs: 5_000 });
  });

  it('[FR1] has no credit while a picture is overdue', () => {
    const { offer, sent, viewer, clock } = fixture();
    expect(viewer.wantsAt(clock.now())).toBe(0);
    offer();
    expect(viewer.wantsAt(clock.now())).toBeUndefined();
    clock.advance(40);
    sent[0]?.painted();
    offer();
    expect(viewer.wantsAt(clock.now())).toBe(80);
    clock.advance(100);
    expect(viewer.wantsAt(clock.now())).toBeUndefined();
  });

  it('[AU3] behind a closed gate no picture is sent or kept, and the viewer is told why', () => {
    const { clock, offer, sent, statuses, viewer, world } = fixture();
    world.held = 'A private moment.';
    viewer.refresh();
    offer();
    expect(viewer.wantsAt(clock.now())).toBeUndefined();
    world.held = undefined;
    clock.advance(100);
    viewer.refresh();
    expect(sent).toEqual([]);
    expect(statuses.map(({ state, reason }) => [state, reason])).toEqual([
      ['paused', 'A private moment.'],
      ['still', undefined],
    ]);
    offer();
    expect(sent).toHaveLength(1);
  });

  it('[AU3] a gate that closes while a picture waits for its time holds that picture too', () => {
    const { clock, offer, sent, world } = fixture({ maxFps: 2 });
    offer();
    sent[0]?.painted();
    offer();
    world.held = 'Access was taken back.';
    clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  describe('whose quality is left to its link', () => {
    /** Each picture is painted that long after it was sent. */
    const play = ({ clock, offer, sent }: ReturnType<typeof fixture>, forMs: number, roundTripMs: number): void => {
      for (let ms = 0; ms < forMs; ms += roundTripMs) {
        offer();
        clock.advance(roundTripMs);
        sent.at(-1)?.painted();
      }
    };

    it('[FR6] moves to a lower tier on a slow link and says so; its credit and the newest picture stay', () => {
      const one = fixture({ tier: 'auto' });
      play(one, 3_500, 700);
      one.offer();
      const waiting = one.offer();
      const before = one.sent.length;
      one.clock.advance(700);
      one.sent.at(-1)?.painted();

      expect(one.world).toMatchObject({ joined: ['standard', 'low'], left: ['standard'] });
      expect(one.statuses.map(({ tier, because }) => [tier, because])).toEqual(
        expect.arrayContaining([
          ['standard', 'size'],
          ['low', 'link'],
        ]),
      );
      expect(one.statuses.at(-1)).toMatchObject({ tier: 'low', because: 'link' });
      expect([one.sent.length - before, one.sent.at(-1)?.meta.seq]).toEqual([1, waiting.seq]);
    });

    it('[FR6] goes back to the better tier at rest, by its timer alone', () => {
      const one = fixture({ tier: 'auto' });
      play(one, 4_200, 700);
      one.clock.advance(11_000);
      expect(one.world.joined).toEqual(['standard', 'low', 'standard']);
      expect(one.statuses.at(-1)).toMatchObject({ tier: 'standard', because: 'size' });
    });

    it('[FR6] tries a better tier at the earlier time, when the wait becomes shorter while its timer runs', () => {
      const one = fixture({ tier: 'auto' });
      const wait = (waitMs: number): void => {
        const { quality } = one.viewer;
        one.viewer.setQuality({ ...quality, link: { ...quality.link, carries: 0, lateAt: one.clock.now(), waitMs } });
      };
      wait(80_000);
      one.clock.advance(1_000);
      wait(10_000);
      one.clock.advance(9_999);
      expect(one.world.joined).toEqual(['standard', 'low']);
      one.clock.advance(1);
      expect(one.world.joined).toEqual(['standard', 'low', 'standard']);
    });

    it('[FR6] can be pinned: then the link changes nothing any more', () => {
      const one = fixture({ tier: 'auto' });
      play(one, 4_200, 700);
      one.viewer.setQuality(chosen(one.viewer.quality, 'standard', undefined));
      play(one, 10_000, 700);
      expect(one.world.joined).toEqual(['standard', 'low', 'standard']);
      expect(one.statuses.at(-1)).toMatchObject({ tier: 'standard', because: 'chosen' });
    });

    it('[FR6] a tab in the background, which paints nothing for a minute, is no slow link', () => {
      const one = fixture({ tier: 'auto' });
      play(one, 2_000, 40);
      play(one, 60_000, 60_000);
      play(one, 20_000, 40);
      expect(one.world.joined).toEqual(['standard']);
    });
  });

  it('[F21] a picture that is not newer than the last is passed over', () => {
    const { viewer, picture, sent, seqs } = fixture();
    const [first, second] = [picture(), picture()];
    viewer.take(second, false);
    sent[0]?.painted();
    viewer.take(first, false);
    viewer.take(second, false);
    expect(seqs()).toEqual([2]);
  });

  it('[FR5] reports live, behind and live again, and only changes', () => {
    const { clock, offer, sent, statuses } = fixture();
    const play = (forMs: number, paint: boolean): void => {
      for (let ms = 0; ms < forMs; ms += 20) {
        offer();
        if (paint) sent.at(-1)?.painted();
        clock.advance(20);
      }
    };
    play(1_000, true);
    play(1_300, false);
    play(1_000, true);
    sent.at(-1)?.painted();
    clock.advance(2_000);
    expect(statuses.map(({ state, behindMs }) => behindMs ?? state)).toEqual(['live', 500, 1_000, 'live', 'still']);
  });

  it('[F21] painted twice, late, after closing: counted or ignored, never more credit than was given', () => {
    const { offer, sent, counted, viewer, seqs } = fixture();
    offer();
    sent[0]?.painted();
    sent[0]?.painted();
    offer();
    offer();
    expect(seqs()).toEqual([1, 2]);
    expect(counted.filter((step) => step === 'refused')).toHaveLength(1);
    viewer.close();
    sent[1]?.painted();
    expect(seqs()).toEqual([1, 2]);
  });

  it('[F21] for any order of confirmations: the sequence grows, at most three pictures are unpainted, none is older than a second', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('offer' as const), ms: fc.integer({ min: 0, max: 100 }) }),
      fc.record({ do: fc.constant('paint' as const), which: fc.nat(30), ms: fc.integer({ min: 0, max: 1_500 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const { clock, offer, sent, viewer, seqs } = fixture();
        const painted = new Set<number>();
        for (const one of steps) {
          clock.advance(one.ms);
          if (one.do === 'offer') offer();
          else if (sent[one.which]) for (let done = one.which; done >= 0; done -= 1) painted.add(done);
          if (one.do === 'paint') sent[one.which]?.painted();
          expect(sent.length - painted.size).toBeLessThanOrEqual(3);
        }
        expect(seqs()).toEqual([...new Set(seqs())].sort((a, b) => a - b));
        expect(Math.max(0, ...sent.map(({ meta }) => meta.ageMs))).toBeLessThanOrEqual(1_000);
        viewer.close();
        expect(clock.waiting).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

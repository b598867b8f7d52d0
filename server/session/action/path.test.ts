import { describe, expect, it } from 'vitest';
import { FEATURES } from '@/server/features/list';
import type { Feature } from '@/server/session/feature';
import { useServerFixture } from '@/server/testing/server-fixture';

const PAGE = '<!doctype html><meta charset="utf-8"><title>Path</title><button id="b">Press</button>';

/** The time limit of every `press`. */
const PRESS_MS = 200;
const heard: string[] = [];

/** A feature that notes which hooks the path of an action calls, refuses every `hover`, and outlasts every `press`. */
const listener: Feature = {
  name: 'listener',
  start: () => ({
    asked: (_, { kind }) => void heard.push(`asked ${kind}`),
    beforeAction: async (_, { kind }) => {
      heard.push(`beforeAction ${kind}`);
      if (kind === 'hover') throw new Error('refused by a feature');
      if (kind === 'press') await new Promise((resolve) => setTimeout(resolve, PRESS_MS * 2));
    },
    beforeWrite: async () => void heard.push('beforeWrite'),
    afterAction: ({ action: { kind } }, { ok }) => void heard.push(`afterAction ${kind} ${ok}`),
    answered: async (_, { kind }) => void heard.push(`answered ${kind}`),
    onReply: (_, { kind }, reply) => {
      heard.push(`onReply ${kind}`);
      return { ...reply, warnings: [...reply.warnings, 'from a feature'] };
    },
  }),
};

/** While true, the feature below throws in the hooks after an action, and when a tab is made. */
let failing = false;
function failsWhileFailing(): void {
  if (failing) throw new Error('a fault of a feature');
}

const faulty: Feature = {
  name: 'faulty',
  start: (kernel) => {
    kernel.tabFactory.onMade.on(failsWhileFailing);
    return {
      afterAction: failsWhileFailing,
      answered: async () => failsWhileFailing(),
      onReply: (_, __, reply) => {
        failsWhileFailing();
        return reply;
      },
    };
  },
};

const fixture = useServerFixture(PAGE, { shared: true, features: [faulty, ...FEATURES, listener] });

/** Runs `work` while the faulty feature throws; returns its result and how many faults the server counted meanwhile. */
async function withFaults<T>(work: () => Promise<T>) {
  const counted = async () => (await fixture.server.running.services.metrics.totals())['wheelhouse_faults_total'] ?? 0;
  const before = await counted();
  failing = true;
  try {
    const result = await work();
    return { result, faults: (await counted()) - before };
  } finally {
    failing = false;
  }
}

async function hooksOf(action: object) {
  const id = await fixture.open();
  heard.length = 0;
  const reply = await fixture.server.act(id, action);
  const rows = await fixture.inside(id).timeline.events({ limit: 50 });
  return { reply, hooks: [...heard], kinds: rows.map(({ kind }) => kind) };
}

describe('the path of an action', () => {
  it('[AC1] calls each hook of a feature once, in this order, and gives its attachment with the reply', async () => {
    const { reply, hooks } = await hooksOf({ kind: 'click', selector: '#b' });

    expect(hooks).toEqual([
      'asked click',
      'beforeAction click',
      'beforeWrite',
      'afterAction click true',
      'answered click',
      'onReply click',
    ]);
    expect([reply.ok, reply.warnings]).toEqual([true, ['from a feature']]);
  });

  it('[AC1] of a read has no lease, and calls no hook before a write', async () => {
    const { hooks } = await hooksOf({ kind: 'snapshot' });

    expect(hooks).toEqual([
      'asked snapshot',
      'beforeAction snapshot',
      'afterAction snapshot true',
      'answered snapshot',
      'onReply snapshot',
    ]);
  });

  it('[AC7] is also that of an action inside another, which is admitted and decorated with the outer one', async () => {
    const { reply, hooks } = await hooksOf({ kind: 'batch', actions: [{ kind: 'click', selector: '#b' }] });

    expect([reply.ok, hooks]).toEqual([
      true,
      [
        'asked batch',
        'beforeAction batch',
        'beforeWrite',
        'beforeWrite',
        'afterAction click true',
        'afterAction batch true',
        'answered batch',
        'onReply batch',
      ],
    ]);
  });

  it('[AC1] ends before the intent when a feature refuses; features still see the reply', async () => {
    const { reply, hooks, kinds } = await hooksOf({ kind: 'hover', selector: '#b' });

    expect(hooks).toEqual(['asked hover', 'beforeAction hover', 'answered hover', 'onReply hover']);
    expect([reply.error?.code, kinds.includes('refused'), kinds.includes('hover')]).toEqual(['INTERNAL', true, false]);
  });

  it('[TL1] leaves one row when the time is over before the intent', async () => {
    const { reply, kinds } = await hooksOf({ kind: 'press', key: 'x', timeoutMs: PRESS_MS });

    expect([reply.error?.code, kinds.filter((kind) => kind === 'press' || kind === 'refused')]).toEqual([
      'TIMEOUT',
      ['refused'],
    ]);
  });

  it('[AC1][T14] gives the reply, with secrets masked, when a feature throws while it decorates it', async () => {
    const id = await fixture.open();
    fixture.inside(id).secrets.add('hunter2zebra', 'a test');
    const fn = "'hunter2' + 'zebra'";
    const { result: reply, faults } = await withFaults(() => fixture.server.act(id, { kind: 'evaluate', fn }));

    expect([reply.ok, reply.warnings, faults]).toEqual([true, ['from a feature'], 3]);
    expect(JSON.stringify(reply)).not.toContain('hunter2zebra');
  });

  it('[AC1] is carried out for the timeline and for the later features, when a feature throws after it', async () => {
    const id = await fixture.open();
    heard.length = 0;
    await withFaults(() => fixture.server.act(id, { kind: 'click', selector: '#b' }));
    const rows = await fixture.inside(id).timeline.events({ limit: 50 });

    expect(heard).toContain('afterAction click true');
    expect(rows.filter(({ kind }) => kind === 'click' || kind === 'refused').map((row) => row.outcome)).toEqual([
      undefined,
      'ok',
    ]);
  });

  it('[AC1] acts in a tab although a feature threw when the tab was made', async () => {
    const { result: id, faults } = await withFaults(() => fixture.open());
    const reply = await fixture.server.act(id, { kind: 'click', selector: '#b' });

    expect([reply.ok, faults > 0]).toEqual([true, true]);
  });
});

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { FloodStep } from '@/lib/flood/gauge';
import type { FloodKind } from '@/lib/flood/limits';
import { createInstruments } from './instruments';

export type EvaluateResultLabel = 'ok' | 'threw' | 'timeout' | 'aborted' | 'failed';

/**
 * Every figure the server keeps about itself, by what happened. Durations in milliseconds in, seconds out (Prometheus
 * habit).
 */
export interface Metrics {
  http(labels: { method: string; route: string; status: number }, ms: number): void;
  /** `outcome`: `ok` or an error code. `event` is a catalog name, or `unknown`. */
  socketEvent(event: string, outcome: string): void;
  action(labels: { kind: string; door: string; outcome: string }, ms: number): void;
  /** One evaluation has ended (EV8); timeouts and aborts are counted from `end`. */
  evaluate(labels: { engine: 'cdp' | 'page'; end: EvaluateResultLabel }, ms: number): void;
  /** A promise that never settled; the page was not blocked (F5). */
  abandoned(): void;
  /** `Runtime.terminateExecution`: sent, then acknowledged by Chrome (EV3). */
  termination(step: 'sent' | 'acknowledged'): void;
  /** `auto` went from CDP to puppeteer (EV7). */
  evaluateFallback(reason: string): void;
  frame(step: 'captured' | 'still' | 'sent' | 'dropped' | 'refused' | 'stalled', tier: string): void;
  snapshot(source: string, ms: number): void;
  /** An error that is a fault of ours; must be 0 in every test run (F30). */
  fault(where: string): void;
  /** A message to the operator's webhook. */
  webhook(outcome: 'delivered' | 'retried' | 'failed' | 'dropped'): void;
  /** A page floods its Chrome, and something was done about it (AC6). */
  flood(labels: { kind: FloodKind; step: FloodStep['do'] }): void;
  /** An agent that went on acting without the wheel (F23). */
  stubbornAgent(): void;
  /** A page's request at the egress proxy. */
  egress(outcome: 'open' | 'denied' | 'failed'): void;
  /** A best-effort send that failed (`sendMayFail`). */
  sendFailed(what: string): void;
  /** An event or answer of Chrome that is not what the protocol says of it. */
  malformed(what: string): void;
  /** A figure that is read when somebody asks, for example the number of open sockets. */
  gauge(name: string, help: string, read: () => number): void;
  /** Totals of every counter and the count of every histogram, by full name, for the interface. */
  totals(): Promise<Record<string, number>>;
  /** The Prometheus text of `/metrics`. */
  text(): Promise<string>;
  readonly contentType: string;
  dispose(): void;
}

/** `processFigures` adds memory, CPU and event-loop lag of the process (on in the server, off in small tests). */
export function createMetrics(options: { processFigures?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processFigures ?? true) collectDefaultMetrics({ register: registry });
  const count = createInstruments(registry);
  return {
    http: ({ method, route, status }, ms) => count.http.observe({ method, route, status: String(status) }, ms / 1_000),
    socketEvent: (event, outcome) => count.socketEvents.inc({ event, outcome }),
    action: (labels, ms) => count.actions.observe(labels, ms / 1_000),
    evaluate: (labels, ms) => {
      count.evaluates.observe(labels, ms / 1_000);
      if (labels.end === 'timeout') count.evaluateTimeouts.inc();
      if (labels.end === 'aborted') count.evaluateAborts.inc();
    },
    abandoned: () => count.evaluateAbandoned.inc(),
    termination: (step) => count.terminations.inc({ step }),
    evaluateFallback: (reason) => count.evaluateFallbacks.inc({ reason }),
    frame: (step, tier) => count.frames.inc({ step, tier }),
    snapshot: (source, ms) => count.snapshots.observe({ source }, ms / 1_000),
    fault: (where) => count.faults.inc({ where }),
    webhook: (outcome) => count.webhooks.inc({ outcome }),
    flood: (labels) => count.floods.inc(labels),
    stubbornAgent: () => count.stubbornAgents.inc(),
    egress: (outcome) => count.egress.inc({ outcome }),
    sendFailed: (what) => count.sendFailures.inc({ what }),
    malformed: (what) => count.malformed.inc({ what }),
    gauge: (name, help, read) => addGauge(registry, name, help, read),
    totals: () => totalsOf(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    dispose: () => registry.clear(),
  };
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({
    name: `wheelhouse_${name}`,
    help,
    registers: [registry],
    collect: () => gauge.set(read()),
  });
}

async function totalsOf(registry: Registry): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const metric of await registry.getMetricsAsJSON()) {
    if (!metric.name.startsWith('wheelhouse_')) continue;
    const counted = metric.values.filter(
      (value) => !('metricName' in value) || value.metricName === `${metric.name}_count`,
    );
    totals[metric.name] = counted.reduce((sum, value) => sum + value.value, 0);
  }
  return totals;
}

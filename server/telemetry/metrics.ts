import { collectDefaultMetrics, Gauge, Registry, Counter, Histogram } from 'prom-client';
import type { FloodStep } from '@/lib/flood/gauge';
import type { FloodKind } from '@/lib/flood/limits';

/** Upper bounds in seconds: from a move of the mouse to the longest budget. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

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
  /** An agent that went on acting without the lease (F23). */
  flaggedAgent(): void;
  /** A page's request at the egress proxy. */
  egress(outcome: 'open' | 'denied' | 'failed'): void;
  /** A best-effort send that failed (`sendMayFail`). */
  sendFailed(what: string): void;
  /** Counts an event or answer of Chrome that does not have the shape of the protocol. */
  malformed(what: string): void;
  /** A value that is read on each request for metrics, for example the number of open sockets. */
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
    flaggedAgent: () => count.flaggedAgents.inc(),
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

/** The counters and histograms of the server, by their names at `/metrics`. One place, so that names stay. */
function createInstruments(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new Counter({ name: `wheelhouse_${name}`, help, labelNames, registers });
  const seconds = <L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> =>
    new Histogram({ name: `wheelhouse_${name}_seconds`, help, labelNames, buckets: SECONDS, registers });
  return {
    http: seconds('http_request', 'HTTP requests by route and status', ['method', 'route', 'status']),
    socketEvents: counter('socket_events_total', 'Socket events by name and outcome', ['event', 'outcome']),
    actions: seconds('action', 'Actions by kind, door and outcome', ['kind', 'door', 'outcome']),
    evaluates: seconds('evaluate', 'Evaluations by engine and how they ended', ['engine', 'end']),
    evaluateTimeouts: counter('evaluate_timeouts_total', 'Evaluations that ran out of time', []),
    evaluateAborts: counter('evaluate_aborts_total', 'Evaluations that were cancelled', []),
    evaluateAbandoned: counter('evaluate_abandoned_total', 'Promises that never settled, left alone', []),
    terminations: counter('evaluate_terminations_total', 'Stuck scripts: terminations sent and acknowledged', ['step']),
    evaluateFallbacks: counter('evaluate_fallbacks_total', 'Evaluations that went to the page engine', ['reason']),
    frames: counter('frames_total', 'Frames captured, sent and dropped', ['step', 'tier']),
    snapshots: seconds('snapshot', 'Snapshots by source', ['source']),
    faults: counter('faults_total', 'Errors that are faults of the server', ['where']),
    webhooks: counter('webhook_messages_total', 'Messages to the webhook: delivered, tried again, failed, dropped', [
      'outcome',
    ]),
    floods: counter('page_floods_total', 'Pages that flooded their Chrome, by kind and step', ['kind', 'step']),
    flaggedAgents: counter('stubborn_agents_total', 'Agents that went on acting without the wheel', []),
    malformed: counter(
      'chrome_malformed_total',
      'Events and answers of Chrome that are not what the protocol says of them',
      ['what'],
    ),
    egress: counter('egress_requests_total', 'Requests of pages at the egress proxy: let out, denied, failed', [
      'outcome',
    ]),
    sendFailures: counter('best_effort_failures_total', 'Best-effort sends that failed', ['what']),
  };
}

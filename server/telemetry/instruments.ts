import { Counter, Histogram, type Registry } from 'prom-client';

/** Upper bounds in seconds: from a move of the mouse to the longest budget. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** The counters and histograms of the server, by their names at `/metrics`. One place, so that names stay. */
export function createInstruments(registry: Registry) {
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
    stubbornAgents: counter('stubborn_agents_total', 'Agents that went on acting without the wheel', []),
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

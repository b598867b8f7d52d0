import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics';

describe('figures', () => {
  it('[EV8] evaluations, how they ended, terminations and fallbacks are counted', async () => {
    const metrics = createMetrics({ processFigures: false });
    metrics.evaluate({ engine: 'cdp', end: 'ok' }, 2);
    metrics.evaluate({ engine: 'cdp', end: 'timeout' }, 1_000);
    metrics.evaluate({ engine: 'page', end: 'aborted' }, 10);
    metrics.termination('sent');
    metrics.termination('acknowledged');
    metrics.evaluateFallback('attach refused');
    expect(await metrics.totals()).toMatchObject({
      wheelhouse_evaluate_seconds: 3,
      wheelhouse_evaluate_timeouts_total: 1,
      wheelhouse_evaluate_aborts_total: 1,
      wheelhouse_evaluate_terminations_total: 2,
      wheelhouse_evaluate_fallbacks_total: 1,
    });
  });

  it('[OP3] the text is Prometheus, in seconds, with gauges read when asked', async () => {
    const metrics = createMetrics({ processFigures: false });
    let sockets = 0;
    metrics.gauge('sockets', 'Open sockets', () => sockets);
    sockets = 3;
    metrics.http({ method: 'GET', route: '/healthz', status: 200 }, 4);
    const text = await metrics.text();
    expect(text).toContain('wheelhouse_sockets 3');
    expect(text).toContain(
      'wheelhouse_http_request_seconds_bucket{le="0.005",method="GET",route="/healthz",status="200"} 1',
    );
    expect(text).toContain('wheelhouse_http_request_seconds_sum{method="GET",route="/healthz",status="200"} 0.004');
    expect(metrics.contentType).toContain('text/plain');
  });

  it('[OP3] two servers in one process do not share figures', async () => {
    const [one, two] = [createMetrics(), createMetrics()];
    one.fault('test');
    expect((await two.totals())['wheelhouse_faults_total']).toBe(0);
    expect(await one.text()).toContain('process_resident_memory_bytes');
    one.dispose();
    two.dispose();
    expect(await one.text()).toBe('\n');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TRACE_LIMITS } from '@/lib/trace/limits';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { TraceFile, type TraceFileLimits } from './trace-file';
import { TraceRecording } from './recording';

const fileSchema = z.object({ traceEvents: z.array(z.looseObject({ name: z.string() })), metadata: z.looseObject({}) });
/** A page that gives Chrome much to record. */
const BUSY =
  '<p>x</p><script>setInterval(() => { for (let at = 0; at < 30; at += 1) performance.mark("mark-" + at); document.body.append("x"); document.body.offsetWidth; }, 5)</script>';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

async function record(bufferKb: number, until: (full: Promise<void>) => Promise<unknown>): Promise<TraceRecording> {
  await bench.show(BUSY);
  const budget = newBudget(60_000);
  const recording = await TraceRecording.start(budget, bench.lanes.bulk, bench.tab.targetId, bench.write, {
    screenshots: false,
    bufferKb,
  });
  await until(new Promise((resolve) => recording.onFull.on(() => resolve())));
  budget.dispose();
  return recording;
}

async function fileOf(recording: TraceRecording, limits: TraceFileLimits): Promise<{ file: TraceFile; text: string }> {
  const budget = newBudget(60_000);
  try {
    const file = new TraceFile(await recording.end(budget), '2026-01-01T00:00:00.000Z', limits);
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.content(budget, false)) chunks.push(chunk);
    return { file, text: Buffer.concat(chunks).toString('utf8') };
  } finally {
    recording.dispose();
    budget.dispose();
  }
}

describe('the limits of a trace', () => {
  it("[PS5] reports when Chrome's buffer is nearly full, and the file up to then is valid", async () => {
    const recording = await record(4 * 1_024, (full) => full);
    const { file, text } = await fileOf(recording, TRACE_LIMITS);

    expect(fileSchema.parse(JSON.parse(text)).traceEvents.length).toBe(file.events);
    expect(file.events).toBeGreaterThan(100);
  }, 120_000);

  it('[PS5] a file at its limit is cut between two events, says so, and is valid', async () => {
    const recording = await record(TRACE_LIMITS.bufferKb, () =>
      bench.read('new Promise((done) => setTimeout(done, 400))'),
    );
    const { file, text } = await fileOf(recording, { ...TRACE_LIMITS, fileBytes: 300_000 });

    expect([file.cut, text.length <= 301_000, fileSchema.parse(JSON.parse(text)).traceEvents.length]).toEqual([
      true,
      true,
      file.events,
    ]);
    expect(file.events).toBeGreaterThan(10);
  }, 120_000);

  it('[PS5][T14] leaves out an event that is too large, and reports it', async () => {
    const recording = await record(TRACE_LIMITS.bufferKb, () =>
      bench.read(
        'new Promise((done) => { performance.mark("big", { detail: "y".repeat(100_000) }); setTimeout(done, 300); })',
      ),
    );
    const { file, text } = await fileOf(recording, { ...TRACE_LIMITS, eventChars: 20_000 });

    expect([file.cut, text.includes('yyyyyyyyyy'), fileSchema.parse(JSON.parse(text)).traceEvents.length]).toEqual([
      true,
      false,
      file.events,
    ]);
  }, 120_000);
});

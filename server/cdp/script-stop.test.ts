import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Deferred } from '@/lib/async/deferred';
import { monotonicClock, type Clock } from '@/lib/budget/clock';
import { ActionBench, newBudget } from '@/server/testing/action-bench';
import { CdpConnection } from './connection';
import { DebuggerInterrupt } from './debugger-interrupt';
import { ScriptStop } from './script-stop';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const NAME = 'evaluate-AAAAAAAAAAAAAAAAAAAAAA';
const PAGE =
  '<button id="b">Press</button><script>window.clicks = 0; window.own = 0; b.onclick = () => { clicks += 1; }; setInterval(() => { own += 1; }, 20)</script>';
/** A clock whose limits a busy machine does not reach. */
const patientClock: Clock = { ...monotonicClock, after: (ms, callback) => monotonicClock.after(ms * 20, callback) };

async function more(expression: string, than: number): Promise<void> {
  await expect.poll(() => bench.read(expression), { timeout: 20_000 }).toBeGreaterThan(than);
}

describe('stopping scripts by name', () => {
  it('[CO3] ends with its connection, as when the server dies: the page and the script run on', async () => {
    await bench.show(PAGE);
    await bench.read(`setInterval(() => b.click(), 20), 0\n//# sourceURL=${NAME}`);
    const budget = newBudget(10_000);
    const connection = await CdpConnection.open(budget, bench.wsUrl, { lane: 'evaluate' });
    onTestFinished(() => connection.close());
    let told = (): void => undefined;
    const changed = new Promise<void>((resolve) => (told = resolve));
    const stop = new ScriptStop(connection, bench.tab.targetId, bench.tab.sentinel.interrupt, () => told());
    stop.stop(new Set([NAME]));
    await changed;
    expect(stop.state).toEqual({ done: true, found: 1, loose: false });
    const clicks = Number(await bench.read('clicks'));
    await more('own', Number(await bench.read('own')) + 10);
    expect(await bench.read('clicks')).toBe(clicks);
    connection.close();
    await more('clicks', clicks + 2);
    await more('own', Number(await bench.read('own')) + 2);
    budget.dispose();
  }, 40_000);

  it('[CO3] waits for the pause of an interrupt', async () => {
    await bench.show(PAGE);
    await bench.read(`setInterval(() => b.click(), 20), 0\n//# sourceURL=${NAME}`);
    const session = await bench.lanes.evaluate.attach(bench.tab.targetId);
    onTestFinished(() => bench.lanes.evaluate.detach(session));
    const interrupt = new DebuggerInterrupt(session, patientClock);
    interrupt.arm(true);
    const stopped = new Deferred();
    const stop = new ScriptStop(bench.lanes.evaluate, bench.tab.targetId, interrupt, stopped.resolve);
    onTestFinished(() => stop.end());
    stop.stop(new Set([NAME]));
    await stopped.promise;
    const loops = new Promise((resolve) => session.on('Runtime.consoleAPICalled', resolve));
    await session.send('Runtime.enable');
    await bench.read('setTimeout(() => { console.log("loops"); for (;;); }, 0), 0');
    await loops;
    const pressed = bench.tab.sessions.commands.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'x' });
    const outcome = await interrupt.stop(pressed);
    await more('own', Number(await bench.read('own')) + 2);

    expect([outcome, interrupt.interrupting]).toEqual(['discarded', false]);
  }, 40_000);
});

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type as system } from 'node:os';
import { forMs } from './lib/wait';

/** The load by other work, 0 to 1 of all cores. */
export interface OtherWork {
  readonly before: number;
  readonly after: number;
}

const LOOK_MS = 1_000;
/** Below this a machine counts as quiet: a few daemons. */
const QUIET = 0.1;

/** The share of all cores in use during a second in which the benchmark itself is idle. */
export async function busyNow(): Promise<number> {
  const before = ticks();
  await forMs(LOOK_MS);
  const after = ticks();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

export function machineText(product: string): string {
  const [first] = cpus();
  const gib = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gib} GiB, ${distribution()}, kernel ${release()}, Node ${process.versions.node}, ${product}`;
}

export function workText({ before, after }: OtherWork): string {
  const share = `${percent(before)} of the cores in the second before the run, ${percent(after)} in the one after it`;
  if (Math.max(before, after) < QUIET) return `The machine was quiet: other programs used ${share}.`;
  return `**Other work was running: it used ${share}.** Times are then longer than on a quiet machine, ratios less steady, and a mark from few samples says little.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function ticks(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { idle, all: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.irq, idle) };
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? system();
  } catch {
    // Not a Linux with that file.
    return system();
  }
}

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type as system } from 'node:os';
import { coreShares, coreTimes } from '../scripts/runners/cores.mjs';
import { forMs } from './lib/wait';

/** The load by other work, 0 to 1 of all cores. */
export interface OtherWork {
  readonly before: number;
  readonly after: number;
  /** What the host of a virtual machine took during the run. */
  readonly taken: number;
}

const LOOK_MS = 1_000;
/** Below this a machine counts as quiet: a few daemons. */
const QUIET = 0.1;

/** The share of all cores in use during a second in which the benchmark itself is idle. */
export async function busyNow(): Promise<number> {
  const before = coreTimes();
  await forMs(LOOK_MS);
  return coreShares(before, coreTimes()).busy;
}

export function machineText(product: string): string {
  const [first] = cpus();
  const gib = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gib} GiB, ${distribution()}, kernel ${release()}, Node ${process.versions.node}, ${product}`;
}

export function workText({ before, after, taken }: OtherWork): string {
  const others = `${percent(before)} of the cores in the second before the run, ${percent(after)} in the one after it`;
  const share = `${others}; the host took ${percent(taken)} during it`;
  if (Math.max(before, after, taken) < QUIET) return `The machine was quiet: other programs used ${share}.`;
  return `**Other work was running: it used ${share}.** Times are then longer than on a quiet machine, ratios less steady, and a mark from few samples says little.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? system();
  } catch {
    // Not a Linux with that file.
    return system();
  }
}

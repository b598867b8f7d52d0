/** How the machine's cores were used: what a virtual machine's host took away makes every time longer. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** @typedef {{all: number, idle: number, taken: number}} CoreTimes in ticks of one unit, since the machine started */

/**
 * @param {string} stat the text of `/proc/stat`
 * @returns {CoreTimes} `taken`: the "steal" of proc(5), time in which the host ran something else
 */
export function readStat(stat) {
  const line = stat.split('\n').find((one) => one.startsWith('cpu '));
  // Time of guests (the ninth and tenth number) is already part of user and nice time.
  const [user, nice, system, idle, iowait, irq, softirq, taken] = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: user + nice + system + idle + iowait + irq + softirq + taken, idle: idle + iowait, taken };
}

/** @returns {CoreTimes} `taken` is 0 where the system does not tell it */
export function coreTimes() {
  try {
    return readStat(readFileSync('/proc/stat', 'utf8'));
  } catch {
    // Not Linux.
    const times = cpus().map((cpu) => cpu.times);
    const idle = times.reduce((sum, time) => sum + time.idle, 0);
    return {
      all: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.irq, idle),
      idle,
      taken: 0,
    };
  }
}

/**
 * @param {CoreTimes} before
 * @param {CoreTimes} after
 * @returns {{busy: number, taken: number}} shares of all cores' time between the two, 0 to 1; `busy` counts `taken`
 */
export function coreShares(before, after) {
  const all = Math.max(1, after.all - before.all);
  return { busy: 1 - (after.idle - before.idle) / all, taken: (after.taken - before.taken) / all };
}

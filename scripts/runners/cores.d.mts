export interface CoreTimes {
  readonly all: number;
  readonly idle: number;
  readonly taken: number;
}
export function readStat(stat: string): CoreTimes;
export function coreTimes(): CoreTimes;
export function coreShares(before: CoreTimes, after: CoreTimes): { busy: number; taken: number };

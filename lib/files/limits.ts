import { TRACE_LIMITS } from '@/lib/trace/limits';

const MIB = 1_048_576;

/** How much a session may keep. */
export interface FileLimits {
  /** One file sent to us, bytes. */
  readonly upload: number;
  /** One file that a page downloads, bytes. */
  readonly download: number;
  /** One trace of what a page did, bytes. */
  readonly trace: number;
  /** All of them together, bytes. */
  readonly session: number;
  readonly files: number;
}

/** The product's limits (DI2). */
export const FILE_LIMITS: FileLimits = {
  upload: 50 * MIB,
  download: 200 * MIB,
  trace: TRACE_LIMITS.fileBytes + MIB,
  session: 1_024 * MIB,
  files: 1_000,
};

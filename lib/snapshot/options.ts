import { z } from 'zod';
import { snapshotOptionFields } from '@/lib/actions/snapshot-options';

const snapshotOptionsSchema = z.strictObject(snapshotOptionFields);

/** The snapshot options of a caller (SN3). */
export type SnapshotOptions = Readonly<z.infer<typeof snapshotOptionsSchema>>;

/** The options with presets and defaults applied; callers with equal options share one text. */
export interface SnapshotFormat {
  readonly view: 'ai' | 'role' | 'aria' | 'webarena';
  readonly interactive: boolean;
  readonly compact: boolean;
  /** Levels of lines shown; Infinity for all. */
  readonly depth: number;
  /** Longest text, characters, its last note included. */
  readonly maxChars: number;
  readonly urls: boolean;
  readonly find: string | undefined;
  readonly findRegex: string | undefined;
  /** Of the view `webarena`; its own lists when absent. */
  readonly ignoreProperties?: readonly string[] | undefined;
  readonly ignoreRoles?: readonly string[] | undefined;
}

/** Longest text when the caller names none, characters. */
const DEFAULT_MAX_CHARS = 400_000;

/** SN3: interactive, compact, six levels, 10 000 characters. Options that the caller gives win. */
const EFFICIENT = { interactive: true, compact: true, depth: 6, maxChars: 10_000 } as const;

export function resolveFormat(options: SnapshotOptions): SnapshotFormat {
  const preset = options.preset === 'efficient' ? EFFICIENT : undefined;
  return {
    view: options.view ?? 'ai',
    interactive: options.interactive ?? preset?.interactive ?? false,
    compact: options.compact ?? preset?.compact ?? false,
    depth: options.depth ?? preset?.depth ?? Number.POSITIVE_INFINITY,
    maxChars: options.maxChars ?? preset?.maxChars ?? DEFAULT_MAX_CHARS,
    urls: options.urls ?? false,
    find: options.find,
    findRegex: options.findRegex,
    ignoreProperties: options.ignoreProperties,
    ignoreRoles: options.ignoreRoles,
  };
}

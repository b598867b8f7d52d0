/** Types for the server's tests, which write exports and verify them with this program. */
export interface Verdict {
  readonly ok: boolean;
  readonly rows?: number;
  readonly pictures?: number;
  readonly fingerprint?: string;
  readonly row?: number;
  readonly how?:
    | 'altered'
    | 'missing'
    | 'reordered'
    | 'duplicated'
    | 'unsigned'
    | 'cut'
    | 'rewritten'
    | 'another key'
    | 'unreadable';
  readonly problem?: string;
}
export function verifyLines(lines: readonly string[], fingerprint?: string): Verdict;

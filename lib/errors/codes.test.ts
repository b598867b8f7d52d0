import { describe, expect, it } from 'vitest';
import { ERROR_TABLE, isErrorCode, type ErrorCode } from './codes';

/** The status of each code, written out a second time because clients depend on it. */
const STATUS: Readonly<Record<number, string>> = {
  200: 'EVAL_THREW EVAL_RESULT_UNSERIALIZABLE EVAL_TERMINATED TIMEOUT ABORTED DIALOG_OPEN REF_UNKNOWN REF_STALE_DOCUMENT NODE_GONE AMBIGUOUS NOT_VISIBLE OFFSCREEN COVERED DISABLED WRONG_ELEMENT NAV_FAILED TAB_CRASHED TAB_UNRESPONSIVE OUTCOME_UNKNOWN FLOW_MISS FLOW_CHANGED',
  400: 'BAD_REQUEST UNKNOWN_KIND STEP_SYNTAX VAR_MISSING TAB_AMBIGUOUS UNSUPPORTED',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN NAV_BLOCKED EVAL_DISABLED PATH_DENIED',
  404: 'NOT_FOUND TAB_NOT_FOUND',
  409: 'CONTROL_LOST CONTROL_HELD CONFLICT',
  413: 'TOO_LARGE',
  429: 'RATE_LIMITED QUOTA',
  500: 'INTERNAL',
  503: 'BROWSER_DOWN STORE_BUSY',
};

describe('the table of errors', () => {
  it('[AC8] has exactly the codes that were promised, each with its status', () => {
    const promised = Object.entries(STATUS).flatMap(([status, codes]) =>
      codes.split(' ').map((code) => [code, Number(status)]),
    );
    expect(Object.fromEntries(Object.entries(ERROR_TABLE).map(([code, { status }]) => [code, status]))).toEqual(
      Object.fromEntries(promised),
    );
  });

  it('[AC8] has a sentence for each code on what to do next', () => {
    for (const { hint } of Object.values(ERROR_TABLE)) expect(hint).toMatch(/^[A-Z].{10,}[.}]$/);
  });

  it('[AC8] asks for a new snapshot for each code of a stale ref', () => {
    const codes: ErrorCode[] = ['REF_UNKNOWN', 'REF_STALE_DOCUMENT', 'NODE_GONE', 'AMBIGUOUS', 'COVERED'];
    expect(codes.map((code) => ERROR_TABLE[code].retry)).toEqual(codes.map(() => 'after-snapshot'));
  });

  it('[AC8] is not fooled by names that every object has', () => {
    expect(['TIMEOUT', 'toString', '__proto__', 'timeout'].map(isErrorCode)).toEqual([true, false, false, false]);
  });
});

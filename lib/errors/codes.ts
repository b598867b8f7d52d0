/**
 * The one table of failures (AC8). A code fixes the HTTP status, whether trying again can help, and what to do next.
 * `status` 200 means: the call itself was well formed and answered; the reply says `ok: false`.
 */
export type Retry = 'no' | 'after-snapshot' | 'later';

export interface ErrorSpec {
  readonly status: number;
  readonly retry: Retry;
  readonly hint: string;
}

const fresh = 'Take a new snapshot and use a ref from it.';

export const ERROR_TABLE = {
  BAD_REQUEST: { status: 400, retry: 'no', hint: 'Correct the named field and send the request again.' },
  UNKNOWN_KIND: { status: 400, retry: 'no', hint: 'Use one of the action kinds listed in details.' },
  STEP_SYNTAX: { status: 400, retry: 'no', hint: 'Correct the step at the column given; usage is in details.' },
  VAR_MISSING: { status: 400, retry: 'no', hint: 'Supply a value for each variable named in details.' },
  TAB_AMBIGUOUS: { status: 400, retry: 'no', hint: 'Use a longer prefix, or one of the tab ids in details.' },
  UNSUPPORTED: { status: 400, retry: 'no', hint: 'This server cannot do that here; details say what it can.' },
  UNAUTHENTICATED: {
    status: 401,
    retry: 'no',
    hint: 'Send "Authorization: Bearer <key>", or sign in again in the browser.',
  },
  FORBIDDEN: { status: 403, retry: 'no', hint: 'Ask the owner of the workspace for the grant named in details.' },
  NAV_BLOCKED: {
    status: 403,
    retry: 'no',
    hint: 'Only http, https and about:blank may be opened, and only where the guard allows.',
  },
  EVAL_DISABLED: { status: 403, retry: 'no', hint: 'Scripts are switched off here; use the other actions.' },
  PATH_DENIED: { status: 403, retry: 'no', hint: 'Use a file name inside the folder of this session.' },
  NOT_FOUND: { status: 404, retry: 'no', hint: 'Check the id; list what exists first.' },
  TAB_NOT_FOUND: { status: 404, retry: 'no', hint: 'List the tabs of the session and use one of their ids.' },
  CONTROL_LOST: {
    status: 409,
    retry: 'later',
    hint: 'Somebody else took the wheel. Wait for it with control/wait, then take a new snapshot.',
  },
  CONTROL_HELD: { status: 409, retry: 'later', hint: 'Somebody else has the wheel. Wait for it with control/wait.' },
  CONFLICT: { status: 409, retry: 'later', hint: 'Read the current state and decide again.' },
  TOO_LARGE: { status: 413, retry: 'no', hint: 'Ask for less: the limit is in details.' },
  RATE_LIMITED: { status: 429, retry: 'later', hint: 'Slow down; details say when to try again.' },
  QUOTA: { status: 429, retry: 'later', hint: 'Free something first: the limit is in details.' },
  INTERNAL: {
    status: 500,
    retry: 'later',
    hint: 'This is a fault of the server; its log tells more under the id of this reply, or of the request (X-Request-Id).',
  },
  BROWSER_DOWN: {
    status: 503,
    retry: 'later',
    hint: 'Chrome is gone; wait until the session shows it again, ask for a new one (POST …/browser), or start another session.',
  },
  STORE_BUSY: { status: 503, retry: 'later', hint: 'The database is busy; try again in a moment.' },
  EVAL_THREW: { status: 200, retry: 'no', hint: 'The script itself threw; correct it.' },
  EVAL_RESULT_UNSERIALIZABLE: {
    status: 200,
    retry: 'no',
    hint: 'Return plain JSON, or ask with returnMode "preview".',
  },
  EVAL_TERMINATED: { status: 200, retry: 'no', hint: 'The script was stopped; make it shorter or asynchronous.' },
  TIMEOUT: { status: 200, retry: 'later', hint: 'Look at the call log in details: it shows what was waited for.' },
  ABORTED: {
    status: 200,
    retry: 'later',
    hint: 'The call was cancelled before it ended: look at the page before doing it again.',
  },
  DIALOG_OPEN: {
    status: 200,
    retry: 'later',
    hint: 'Answer the dialog first: {"kind":"dialog","do":"answer","accept":true}.',
  },
  REF_UNKNOWN: { status: 200, retry: 'after-snapshot', hint: fresh },
  REF_STALE_DOCUMENT: { status: 200, retry: 'after-snapshot', hint: `The page has changed since. ${fresh}` },
  NODE_GONE: { status: 200, retry: 'after-snapshot', hint: `The element is no longer in the page. ${fresh}` },
  AMBIGUOUS: { status: 200, retry: 'after-snapshot', hint: 'Several elements fit; add nth, or use a ref.' },
  NOT_VISIBLE: {
    status: 200,
    retry: 'after-snapshot',
    hint: 'The element has no visible box; open what hides it first.',
  },
  OFFSCREEN: { status: 200, retry: 'after-snapshot', hint: 'The element cannot be scrolled into view.' },
  COVERED: { status: 200, retry: 'after-snapshot', hint: 'Close or move what covers it (details.by), or use force.' },
  DISABLED: { status: 200, retry: 'later', hint: 'The element is disabled; fill in what it waits for first.' },
  WRONG_ELEMENT: {
    status: 200,
    retry: 'after-snapshot',
    hint: 'This action does not fit that element; details say what it is.',
  },
  NAV_FAILED: { status: 200, retry: 'later', hint: 'Check the address; details carry the network error.' },
  TAB_CRASHED: { status: 200, retry: 'later', hint: 'Reload the tab.' },
  TAB_UNRESPONSIVE: {
    status: 200,
    retry: 'later',
    hint: 'The page does not answer. Wait, or send a remedy: {"kind":"remedy","do":"stop-script"}, then "blank" or "restart".',
  },
  OUTCOME_UNKNOWN: {
    status: 200,
    retry: 'after-snapshot',
    hint: 'It may or may not have happened: look at the page before doing it again.',
  },
  FLOW_MISS: { status: 200, retry: 'no', hint: 'No flow fits; do it step by step.' },
  FLOW_CHANGED: {
    status: 200,
    retry: 'after-snapshot',
    hint: 'The page differs from the recording; do it step by step.',
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERROR_TABLE;

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, value);
}

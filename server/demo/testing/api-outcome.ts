/** Requests and answers of the stand-in for the HTTP API. */

export interface AnyAction {
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface ApiOutcome {
  readonly status: number;
  readonly body: unknown;
}

/** An error in the API's words; errors that end an action have status 200. */
export function refused(code: string, status = 200): ApiOutcome {
  return {
    status,
    body: { ok: false, error: { code, message: `The double says ${code}.`, hint: 'None.', retry: 'later' } },
  };
}

export function done(action: AnyAction, url: string): ApiOutcome {
  return {
    status: 200,
    body: { ok: true, id: String(action['id']), kind: action.kind, tab: 't1', url, startedAt: '', ms: 1, warnings: [] },
  };
}

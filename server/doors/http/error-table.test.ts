import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERROR_TABLE } from '@/lib/errors/codes';
import type { WebPage } from '@/server/testing/web';
import { useServerFixture } from '@/server/testing/server-fixture';

/** The error table at the door: the errors that an agent reads in situations that really occur. */
const PAGES: Record<string, WebPage> = {
  '/': `<title>Errors</title><button>One</button><button class="twice">Two</button><button class="twice">Two</button><button disabled>Off</button><div id="hidden" hidden>no</div>
    <div style="position: relative; width: 90px"><button>Under</button><div id="cover" style="position: absolute; inset: 0">cover</div></div><button style="position: absolute; left: -900px">Away</button>
    <button onclick="alert('Sure?')">Ask</button><a href="/broken">Broken</a>`,
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-disposition': 'attachment; filename="b.bin"', 'content-length': '1000000' });
    response.write('x'.repeat(1_000), () => setTimeout(() => response.destroy(), 200));
  },
};

interface Case {
  readonly sent: unknown;
  readonly before?: object;
  readonly status?: number;
  readonly message: RegExp;
  readonly hint: RegExp;
  readonly details?: object;
}

const CASES: Readonly<Record<string, Case>> = {
  BAD_REQUEST: {
    sent: '{"kind":',
    status: 400,
    message: /^The body is not valid JSON: .+\.$/,
    hint: /one JSON object/,
    details: { fields: [{ field: 'body' }] },
  },
  UNKNOWN_KIND: {
    sent: { kind: 'clik' },
    status: 400,
    message: /Did you mean "click"/,
    hint: /kinds listed in details/,
    details: { kinds: expect.arrayContaining(['click']) },
  },
  VAR_MISSING: {
    sent: { kind: 'composite', label: 'c', actions: [{ kind: 'type', selector: 'body', text: '${who}' }] },
    status: 400,
    message: /\$\{who\}/,
    hint: /Supply a value/,
    details: { missing: ['who'] },
  },
  EVAL_THREW: {
    sent: { kind: 'evaluate', fn: '() => { throw { a: 1 } }' },
    message: /^The script threw \{ "a": 1 \}, not an Error\.$/,
    hint: /correct it/,
    details: { name: 'object' },
  },
  EVAL_RESULT_UNSERIALIZABLE: {
    sent: { kind: 'evaluate', fn: '() => { const a = {}; a.b = a; return a; }' },
    message: /refers to itself at \$\.b/,
    hint: /preview/,
    details: { path: '$.b' },
  },
  REF_UNKNOWN: {
    sent: { kind: 'click', ref: 'f3e999' },
    message: /^There is no ref "f3e999" in this tab\.$/,
    hint: /new snapshot/,
    details: { ref: 'f3e999' },
  },
  NODE_GONE: {
    sent: { kind: 'click', role: 'link', name: 'One' },
    message: /^No element is a link called "One"\.$/,
    hint: /candidates/,
    details: { candidates: expect.any(Array) },
  },
  AMBIGUOUS: {
    sent: { kind: 'click', selector: '.twice' },
    message: /^2 elements fit/,
    hint: /nth/,
    details: { count: 2 },
  },
  NOT_VISIBLE: {
    sent: { kind: 'click', selector: '#hidden', timeoutMs: 3_000 },
    message: /^div .*cannot be used: /,
    hint: /no visible box/,
    details: { target: { role: 'div' } },
  },
  COVERED: {
    sent: { kind: 'click', role: 'button', name: 'Under', timeoutMs: 3_000 },
    message: /is covered by .*cover/,
    hint: /details\.by/,
    details: { by: { element: expect.stringContaining('cover') } },
  },
  DISABLED: {
    sent: { kind: 'click', role: 'button', name: 'Off', timeoutMs: 3_000 },
    message: /"Off" cannot be used: it is disabled/,
    hint: /disabled/,
    details: { target: { name: 'Off' } },
  },
  WRONG_ELEMENT: {
    sent: { kind: 'check', role: 'button', name: 'One', checked: true, timeoutMs: 3_000 },
    message: /button "One"/,
    hint: /does not fit/,
  },
  OFFSCREEN: {
    sent: { kind: 'click', at: { x: 9_000, y: 5 } },
    message: /9000, 5 is outside the viewport/,
    hint: /CSS pixels/,
  },
  DIALOG_OPEN: {
    before: { kind: 'click', role: 'button', name: 'Ask' },
    sent: { kind: 'evaluate', fn: '1' },
    message: /"Sure\?"/,
    hint: /"do":"answer"/,
    details: { dialog: { id: 'd1', message: 'Sure?' } },
  },
  TIMEOUT: {
    sent: { kind: 'wait', text: 'never', timeoutMs: 300 },
    message: /the text "never"/,
    hint: /call log/,
    details: { log: expect.any(Array) },
  },
  TAB_NOT_FOUND: {
    sent: { kind: 'none', tab: 't9' },
    status: 404,
    message: /no tab "t9"/,
    hint: /List the tabs/,
    details: { tabs: [{ id: 't1' }] },
  },
  NAV_FAILED: {
    sent: { kind: 'download', do: 'click', role: 'link', name: 'Broken' },
    message: /^b\.bin was not downloaded: it broke off/,
    hint: /Start the download again/,
    details: { name: 'b.bin', state: 'failed' },
  },
  NAV_BLOCKED: {
    sent: { kind: 'navigate', url: 'file:///etc/passwd' },
    status: 403,
    message: /"file:"/,
    hint: /http, https/,
    details: { scheme: 'file:' },
  },
  PATH_DENIED: {
    sent: { kind: 'upload', paths: ['../x'] },
    status: 403,
    message: /file name/,
    hint: /folder of this session/,
  },
  CONTROL_LOST: {
    sent: { kind: 'press', key: 'Tab', epoch: 77 },
    status: 409,
    message: /epoch 77, it is \d+ now, and /,
    hint: /leave "epoch" out/,
    details: { tab: 't1', holder: { kind: 'agent' }, since: expect.any(String) },
  },
  CONFLICT: {
    sent: { kind: 'dialog', do: 'answer', accept: true },
    status: 409,
    message: /No dialog is open/,
    hint: /.+/,
  },
  NOT_FOUND: {
    sent: { kind: 'upload', paths: ['none.txt'] },
    status: 404,
    message: /no file "none\.txt"/,
    hint: /.+/,
    details: { files: [] },
  },
  UNSUPPORTED: {
    sent: { kind: 'search', query: 'x', engine: 'wiki' },
    status: 400,
    message: /no search engine "wiki"/,
    hint: /one of those in details/,
    details: { engines: ['web'] },
  },
  TOO_LARGE: {
    sent: { kind: 'type', text: 'x'.repeat(1_100_000) },
    status: 413,
    message: /larger than 1 MiB/,
    hint: /limit/,
    details: { limit: 1_048_576 },
  },
};

/** Where each of the other codes is reached by a test that reads the hint, by its file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  STEP_SYNTAX: 'server/doors/http/steps.test.ts',
  EVAL_DISABLED: 'server/doors/http/error-situations.test.ts',
  FORBIDDEN: 'server/doors/http/error-situations.test.ts',
  UNAUTHENTICATED: 'server/doors/http/error-situations.test.ts',
  REF_STALE_DOCUMENT: 'server/doors/http/error-situations.test.ts',
  CONTROL_HELD: 'server/doors/http/error-situations.test.ts',
  EVAL_TERMINATED: 'server/doors/http/error-situations.test.ts',
  ABORTED: 'server/doors/http/error-situations.test.ts',
  TAB_AMBIGUOUS: 'server/doors/http/error-situations.test.ts',
  TAB_UNRESPONSIVE: 'server/doors/http/stuck.test.ts',
  TAB_CRASHED: 'server/doors/http/error-situations.test.ts',
  RATE_LIMITED: 'server/doors/http/error-situations.test.ts',
  QUOTA: 'server/doors/http/error-situations.test.ts',
  BROWSER_DOWN: 'server/doors/http/error-situations.test.ts',
  STORE_BUSY: 'server/doors/http/error-situations.test.ts',
  OUTCOME_UNKNOWN: 'server/features/control/drain.test.ts',
  INTERNAL: 'server/doors/http/error-situations.test.ts',
};

/** Reached by no test yet; flows are not built. */
const NOWHERE = ['FLOW_MISS', 'FLOW_CHANGED'];

const fixture = useServerFixture(PAGES);
let session: string;

beforeAll(async () => {
  session = (await fixture.server.session(fixture.url)).id;
});

describe('the error table at the door', () => {
  it('[AC8] every code has a test that reads its hint, or is listed as having none', () => {
    const listed = [...Object.keys(CASES), ...Object.keys(ELSEWHERE), ...NOWHERE];
    const testsOf = (file: string): string[] =>
      readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
        .split(/\n\s*it(?:\.each)?\(/)
        .slice(1);
    const silent = Object.entries(ELSEWHERE).filter(
      ([code, file]) => !testsOf(file).some((test) => test.includes(code) && /\bhint\b/.test(test)),
    );

    expect(listed.toSorted()).toEqual(Object.keys(ERROR_TABLE).toSorted());
    expect(silent).toEqual([]);
  });

  it.each(Object.entries(CASES))(
    '[AC8] %s names the problem, its reason and the next step',
    async (code, { sent, before, status = 200, message, hint, details }) => {
      // What comes before would also be in the way of the cases after it.
      const id = before ? await fixture.open() : session;
      if (before) await fixture.server.act(id, before);
      const answer = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/active/act`, sent);

      const error = {
        code,
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
        retry: expect.any(String),
        ...(details && { details }),
      };
      expect(answer).toMatchObject({ status, body: { ok: false, error } });
      expect(JSON.stringify(answer.body)).not.toContain('[object Object]');
    },
  );
});

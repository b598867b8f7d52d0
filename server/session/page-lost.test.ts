import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { DocumentGone } from '@/server/browser/target/world';
import { CdpError } from '@/server/cdp/protocol';
import { PageFixture } from '@/server/testing/page-fixture';
import { pageLost } from './page-lost';

const READY = { health: { state: 'ready' } } as const;
const CRASHED = { health: { state: 'crashed' } } as const;

let fixture: PageFixture;
beforeAll(async () => void (fixture = await PageFixture.open()));
afterAll(() => fixture.close());

/** What Chrome says to a command. */
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('errors of an action whose page went away', () => {
  it('[AC8][F3] a page that crashed: TAB_CRASHED, also when Chrome answers input only with "Internal error"', async () => {
    const { session } = await fixture.page('<title>Crashes</title>');
    const crashed = new Promise<void>((resolve) => void session.on('Inspector.targetCrashed', () => resolve()));
    void session.sendMayFail('Page.crash');
    await crashed;
    const click = await refusal(
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', x: 1, y: 1, button: 'left', clickCount: 1 }),
    );
    const command = new CdpError('Runtime.evaluate', -32_000, 'Target crashed');

    expect(pageLost(CRASHED, click)).toMatchObject({ code: 'TAB_CRASHED', cause: click });
    expect(pageLost(READY, command)).toMatchObject({ code: 'TAB_CRASHED', cause: command });
  }, 40_000);

  it('[AC8] of input that Chrome could not bring to a page that is there: TAB_UNRESPONSIVE', () => {
    const lost = new CdpError('Input.dispatchKeyEvent', -32_603, 'Internal error');
    expect(pageLost(READY, lost)).toMatchObject({ code: 'TAB_UNRESPONSIVE', cause: lost });
  });

  it('[AC8] a document that was replaced: REF_STALE_DOCUMENT, because the element itself was not removed', () => {
    const gone = new DocumentGone('Cannot find context with specified id');
    expect(pageLost(READY, gone)).toMatchObject({ code: 'REF_STALE_DOCUMENT', cause: gone });
  });

  it('[AC8] anything else stays as it is: other refusals of Chrome, errors of ours, faults', () => {
    const others = [
      new CdpError('Runtime.evaluate', -32_603, 'Internal error'),
      new CdpError('Input.dispatchMouseEvent', -32_602, 'Invalid parameters'),
      new WheelhouseError('COVERED', 'Covered.'),
      new TypeError('a fault'),
      'text',
      undefined,
    ];
    expect(others.map((other) => pageLost(CRASHED, other))).toEqual(others);
  });
});

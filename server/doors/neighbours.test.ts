import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HealthView } from '@/lib/protocol/views';
import { lightLoop } from '@/server/testing/light-loop';
import { useServerFixture } from '@/server/testing/server-fixture';
import { sized } from '@/server/testing/sized';
import { QUICK_HANG } from '@/server/testing/timings';

const ENDLESS = await lightLoop();
/** A popup and its opener share a renderer; `/alone` is opened by us, and has one of its own. */
const BUTTON = `<button id="b" onclick="document.title = 'clicked'">b</button>`;
const PAGES: Readonly<Record<string, string>> = {
  '/': `<!doctype html><title>Opener</title>${BUTTON}`,
  '/popup': `<!doctype html><title>Popup</title>${BUTTON}`,
  '/alone': `<!doctype html><title>Alone</title>${BUTTON}`,
  '/framing': `<!doctype html><title>Framing</title>${BUTTON}<iframe src="ELSEWHERE/inner" width="300" height="100"></iframe>`,
  '/inner': '<a href="/popup" target="_blank" rel="opener">Open</a>',
  '/loops': `<!doctype html><title>Loops</title><script>${ENDLESS}</script>${BUTTON}`,
};
/** Busy most of the time for one and a half seconds, and never for long. */
const WORK = `async () => {
  for (const until = performance.now() + 1_500; performance.now() < until; await new Promise((next) => setTimeout(next)))
    for (const pause = performance.now() + 20; performance.now() < pause; );
  return 'done';
}`;
const LOOP = `() => { setTimeout(() => { ${ENDLESS} }, 0); }`;

const fixture = useServerFixture(PAGES, { shared: true, timings: QUICK_HANG });

const { inside } = fixture;

/** Settles when a tab's health fits, without any request to the page. */
function health(id: string, tab: string, fits: (health: HealthView) => boolean): Promise<HealthView> {
  const session = inside(id);
  return new Promise((resolve) => {
    const look = (): void => {
      const view = session.registry.get(tab)?.tab.health;
      if (!view || !fits(view)) return;
      off();
      resolve(view);
    };
    const off = session.onChange.on(look);
    look();
  });
}
const state = (wanted: HealthView['state']) => (view: HealthView) => view.state === wanted;
const click = (id: string, tab: string): Promise<unknown> =>
  fixture.server.act(id, { kind: 'click', selector: '#b', tab, timeoutMs: 10_000 }).then(({ error }) => error);

describe('tabs that somebody looks at', () => {
  it('[CO9][AC6] are asked for a sign of life by renderer, each tab of it in turn; when one of them hangs, all of them are shown as hung without being acted on', async () => {
    const { id } = await fixture.server.session(fixture.url);
    await fixture.server.act(id, { kind: 'tab', do: 'open', url: `${fixture.site}/alone` });
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: 't2' });
    const fn = '(url) => { window.open(url); }';
    await fixture.server.act(id, { kind: 'evaluate', fn, args: [`${fixture.site}/popup`], tab: 't1' });
    await health(id, 't3', () => true);
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: 't3' });
    const tabs = inside(id)
      .registry.all()
      .map(({ tab }) => tab);
    const asked = { t1: 0, t2: 0, t3: 0 };
    const often = new Promise<void>((resolve) => {
      for (const tab of tabs) {
        const ask = tab.sentinel.whenAnswers.bind(tab.sentinel);
        vi.spyOn(tab.sentinel, 'whenAnswers').mockImplementation(() => {
          if (tab.id === 't1' || tab.id === 't2' || tab.id === 't3') asked[tab.id] += 1;
          if (asked.t2 === 8) resolve();
          return ask();
        });
      }
    });
    const stops = tabs.map((tab) => tab.hangMonitor.want());
    await often;
    const counts = { ...asked };
    await fixture.server.act(id, { kind: 'evaluate', fn: LOOP, tab: 't3' });
    const [opener, popup] = await Promise.all([health(id, 't1', state('hung')), health(id, 't3', state('hung'))]);
    const alone = inside(id).registry.get('t2')?.tab.health;
    for (const stop of stops) stop();
    await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);

    // A beat more or less, between two that are counted at once.
    expect(Math.abs(counts.t1 + counts.t3 - counts.t2)).toBeLessThanOrEqual(1);
    expect(Math.abs(counts.t1 - counts.t3)).toBeLessThanOrEqual(1);
    expect([opener, popup, alone].map((one) => one?.state)).toEqual(['hung', 'hung', 'ready']);
  }, 40_000);
});

describe('a popup that hangs, and its opener in the same renderer', () => {
  let id: string;
  /** Whether the tabs are still those that `opened` made: the next test can use them again. */
  let intact = false;

  /** t1 opens t3, a popup; t2 stands alone on the same site. */
  async function opened(): Promise<void> {
    id = (await fixture.server.session(fixture.url)).id;
    fixture.keep(id);
    await fixture.server.act(id, { kind: 'tab', do: 'open', url: `${fixture.site}/alone` });
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: 't2' });
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { window.open(url); }',
      args: [`${fixture.site}/popup`],
      tab: 't1',
    });
    await health(id, 't3', () => true);
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: 't3' });
  }

  /** t3 hangs, and holds up t1. */
  beforeEach(async () => {
    if (!intact) await opened();
    intact = false;
    await fixture.server.act(id, { kind: 'evaluate', fn: LOOP, tab: 't3' });
    // What acts on it runs out of time; that it does not answer is found out by itself.
    await fixture.server.act(id, { kind: 'click', selector: '#b', tab: 't1', timeoutMs: 300 });
    await Promise.all([health(id, 't1', ({ said }) => said?.code === 'scriptBeside'), health(id, 't3', state('hung'))]);
  });

  afterEach(async () => {
    if (!intact) await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);
  });

  it('[AC6][SE5] are both shown as hung, the culprit named; the tab beside them is ready and works', async () => {
    const [opener, alone, popup] = inside(id)
      .view()
      .tabs.map(({ health: { state: shown, said } }) => ({ shown, said }));
    const acted = await click(id, 't2');
    const refused = await fixture.server.act(id, { kind: 'click', selector: '#b', tab: 't1' });
    await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: 't3' });
    await Promise.all([health(id, 't1', state('ready')), health(id, 't3', state('ready'))]);
    intact = true;

    expect([opener, popup, alone]).toMatchObject([
      { shown: 'hung', said: { code: 'scriptBeside', tab: 't3', title: 'Popup' } },
      { shown: 'hung', said: { code: 'scriptRuns' } },
      { shown: 'ready', said: undefined },
    ]);
    expect(acted).toBeUndefined();
    expect(refused.error).toMatchObject({
      code: 'TAB_UNRESPONSIVE',
      message: expect.stringContaining('tab t3 (“Popup”)'),
    });
  }, 40_000);

  type Remedy = readonly ['stop-script' | 'reload' | 'restart' | 'blank', 't1' | 't3'];
  const FEW: readonly Remedy[] = [
    ['stop-script', 't1'],
    ['restart', 't3'],
    ['restart', 't1'],
  ];
  const REMEDIES = sized(FEW, [...FEW, ['stop-script', 't3'], ['reload', 't3'], ['blank', 't1']]);
  const KEEPS: ReadonlySet<string> = new Set(['stop-script', 'reload']);
  for (const [remedy, tab] of REMEDIES) {
    const [who, other] = tab === 't1' ? ['the victim', 't3'] : ['the culprit', 't1'];
    const alone = remedy === 'restart' && tab === 't1';
    it(`[AC6][EV4] ${remedy} on ${who} ${alone ? 'replaces it alone' : 'frees both'}, and the tab beside them is unchanged`, async () => {
      const before = inside(id).registry.get('t2')?.tab.page.document.loaderId;
      const helped = await fixture.server.act(id, { kind: 'remedy', do: remedy, tab });
      await health(id, tab, ({ state: shown }) => shown !== 'hung');
      if (alone) await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: other });
      await Promise.all([health(id, 't1', state('ready')), health(id, 't3', state('ready'))]);

      expect(helped.error).toBeUndefined();
      expect(await click(id, other)).toBeUndefined();
      if (remedy !== 'blank') expect(await click(id, tab)).toBeUndefined();
      expect([await click(id, 't2'), inside(id).registry.get('t2')?.tab.page.document.loaderId]).toEqual([
        undefined,
        before,
      ]);
      intact = KEEPS.has(remedy);
    }, 40_000);
  }

  it('[AC6][EV4] and went on ends no script of the opener when it is closed later', async () => {
    await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: 't3' });
    await Promise.all([health(id, 't1', state('ready')), health(id, 't3', state('ready'))]);
    const working = fixture.server.act(id, { kind: 'evaluate', fn: WORK, tab: 't1', timeoutMs: 20_000 });
    await fixture.server.act(id, { kind: 'tab', do: 'close', tab: 't3' });
    const { error, value } = await working;

    expect([error, value]).toEqual([undefined, 'done']);
  }, 40_000);

  it('[AC6] frees the opener when it is closed', async () => {
    await fixture.server.act(id, { kind: 'tab', do: 'close', tab: 't3' });
    await health(id, 't1', state('ready'));

    expect(await click(id, 't1')).toBeUndefined();
  }, 40_000);
});

describe('a frame of another site, and the popup it opened in its own renderer', () => {
  let id: string;
  const said = (code: string) => (view: HealthView) => view.said?.code === code;
  const inFrame = { role: 'link', name: 'Open', tab: 't1' } as const;

  /** Both tests leave it with both ready. */
  beforeAll(async () => {
    id = (await fixture.server.session(`${fixture.site}/framing`)).id;
    const there = await fixture.server.act(id, { kind: 'wait', role: 'link', name: 'Open', timeoutMs: 20_000 });
    const opened = await fixture.server.act(id, {
      kind: 'evaluate',
      ...inFrame,
      fn: '(link) => { window.open(link.href); }',
      timeoutMs: 20_000,
    });
    expect([there.error, opened.error]).toEqual([undefined, undefined]);
    await health(id, 't2', () => true);
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: 't2' });
  });
  afterAll(async () => void (await fixture.server.api('DELETE', `/api/v1/sessions/${id}`)));

  it('[AC6][SE5] the frame is named when its script blocks the popup, whose page around the frame goes on; a remedy on the popup frees both', async () => {
    await fixture.server.act(id, { kind: 'evaluate', ...inFrame, fn: LOOP });
    await fixture.server.act(id, { kind: 'click', selector: '#b', tab: 't2', timeoutMs: 300 });
    const [popup, page] = await Promise.all([
      health(id, 't2', said('frameBeside')),
      health(id, 't1', said('frameHangs')),
    ]);
    const around = await click(id, 't1');
    const refused = await fixture.server.act(id, { kind: 'click', selector: '#b', tab: 't2' });
    await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: 't2' });
    await Promise.all([health(id, 't2', state('ready')), health(id, 't1', ({ said: none }) => none === undefined)]);

    expect([popup.state, popup.said, page.state, around]).toEqual([
      'hung',
      { code: 'frameBeside', tab: 't1', url: `${fixture.elsewhere}/inner` },
      'ready',
      undefined,
    ]);
    expect(refused.error).toMatchObject({
      code: 'TAB_UNRESPONSIVE',
      message: expect.stringContaining(`in the frame ${fixture.elsewhere}/inner of tab t1`),
    });
    expect(await click(id, 't2')).toBeUndefined();
  }, 40_000);

  it('[AC6][SE5] the popup is named when its script holds up the frame', async () => {
    // A click of the test before has changed it.
    await fixture.server.act(id, { kind: 'evaluate', fn: '() => { document.title = "Popup"; }', tab: 't2' });
    await fixture.server.act(id, { kind: 'evaluate', fn: LOOP, tab: 't2' });
    await fixture.server.act(id, { kind: 'click', selector: '#b', tab: 't2', timeoutMs: 300 });
    const [page] = await Promise.all([health(id, 't1', said('frameHangsWith')), health(id, 't2', said('scriptRuns'))]);
    await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: 't2' });
    await Promise.all([health(id, 't2', state('ready')), health(id, 't1', ({ said: none }) => none === undefined)]);

    expect([page.state, page.said]).toEqual([
      'ready',
      { code: 'frameHangsWith', url: `${fixture.elsewhere}/inner`, tab: 't2', title: 'Popup' },
    ]);
  }, 40_000);
});

describe('a popup that hangs by itself while it loads', () => {
  it('[AC6][EV3] is named as the cause, and freed from its own tab, although its own session may have been attached too late', async () => {
    const id = await fixture.open();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { window.open(url); }',
      args: [`${fixture.site}/loops`],
    });
    await health(id, 't2', () => true);
    const deadline = fixture.server.act(id, { kind: 'wait', text: 'never there', tab: 't2', timeoutMs: 5_000 });
    const popup = await health(id, 't2', state('hung'));
    const opener = await health(id, 't1', ({ said }) => said?.code === 'scriptBeside');
    const freed = await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: 't2' });
    await Promise.all([health(id, 't1', state('ready')), health(id, 't2', state('ready'))]);
    const clicks = [await click(id, 't1'), await click(id, 't2')];
    await Promise.all([deadline, fixture.server.api('DELETE', `/api/v1/sessions/${id}`)]);

    expect([popup.state, opener.said]).toMatchObject(['hung', { code: 'scriptBeside', tab: 't2' }]);
    expect([freed.error, ...clicks]).toEqual([undefined, undefined, undefined]);
  }, 40_000);
});

describe('a popup whose opener asks', () => {
  it('[EV10][DI1] reports the dialog, and works again when it is answered', async () => {
    const id = await fixture.open();
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '(url) => { window.open(url); }',
      args: [`${fixture.site}/popup`],
    });
    await health(id, 't2', () => true);
    await fixture.server.act(id, { kind: 'wait', selector: '#b', tab: 't2' });
    await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => { setTimeout(() => { document.title = String(confirm("Sure?")); }, 0); }',
      tab: 't1',
    });
    await health(id, 't1', state('dialog'));
    const refused = [
      await fixture.server.act(id, { kind: 'evaluate', fn: '1', tab: 't2' }),
      await fixture.server.act(id, { kind: 'click', selector: '#b', tab: 't2' }),
      await fixture.server.act(id, { kind: 'remedy', do: 'stop-script', tab: 't2' }),
    ];
    await fixture.server.act(id, { kind: 'dialog', do: 'answer', accept: true, tab: 't1' });
    const clicked = await click(id, 't2');
    const title = await fixture.server.act(id, { kind: 'evaluate', fn: 'document.title', tab: 't1' });

    expect(refused.map(({ error }) => error)).toMatchObject(
      refused.map(() => ({
        code: 'DIALOG_OPEN',
        hint: expect.stringContaining('"tab":"t1"'),
        details: { tab: 't1', dialog: { message: 'Sure?' } },
      })),
    );
    expect([clicked, title.value]).toEqual([undefined, 'true']);
  }, 40_000);
});

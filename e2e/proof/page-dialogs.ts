import { startWeb } from '@/server/testing/web';
import type { SessionView } from '@/lib/protocol/views';
import type { Campaign } from './campaign';
import { before, type CampaignFixture } from './campaign-fixture';
import type { Random } from './random';

/**
 * Several times the promised half second, and the ten seconds after which a dialog without a holder is answered by
 * itself.
 */
const SHOWN_MS = 15_000;
const BY_ITSELF_MS = 40_000;
/** Most dialogs shown of those that follow one another without a pause. */
const SHOWN_OF_MANY = 5;

type Tab = SessionView['tabs'][number];

/** One way in which a page asks. */
interface Question {
  readonly name: string;
  /** Makes the page ask by itself, `ms` from now. */
  ask(ms: number): object;
  /** Whether watchers and holder see the question. */
  shown(tab: Tab): boolean;
  /** The holder's answer. */
  readonly answer: object;
  /** The value of `window.word` after an answer, and after none. */
  readonly answered: string;
  readonly alone: string;
}

const later = (ms: number, does: string): object => ({
  kind: 'evaluate',
  fn: `() => { setTimeout(() => { ${does} }, ${ms}); }`,
});
const spoken = (name: string, call: string, answer: object, answered: string, alone: string): Question => ({
  name,
  ask: (ms) => later(ms, `window.word = String(${call});`),
  shown: ({ dialog, health }) => dialog?.type === name && health.state === 'dialog',
  answer: { kind: 'dialog', do: 'answer', ...answer },
  answered,
  alone,
});

/** The dialogs that block a page until they are answered. */
const DIALOGS: readonly Question[] = [
  spoken('alert', 'alert("hello")', { accept: true }, 'undefined', 'undefined'),
  spoken('confirm', 'confirm("sure?")', { accept: true }, 'true', 'false'),
  spoken('prompt', 'prompt("name?", "x")', { accept: true, promptText: 'Ann' }, 'Ann', 'null'),
  {
    name: 'beforeunload',
    ask: (ms) => later(ms, 'addEventListener("beforeunload", (event) => event.preventDefault()); location.reload();'),
    shown: ({ dialog }) => dialog?.type === 'beforeunload',
    answer: { kind: 'dialog', do: 'answer', accept: false },
    answered: 'stayed',
    alone: 'none',
  },
];

const CLICK = { kind: 'click', selector: '#b', timeoutMs: 20_000 };
const WORD = { kind: 'evaluate', fn: 'window.word ?? "none"' };

/** Resolves when the tab, as it is shown to everybody, is so. */
function seen(fixture: CampaignFixture, id: string, is: (tab: Tab) => boolean): Promise<void> {
  const session = fixture.inside(id);
  return new Promise((resolve) => {
    const look = (): void => {
      const [tab] = session.view().tabs;
      if (!tab || !is(tab)) return;
      off();
      resolve();
    };
    const off = session.onChange.on(look);
    look();
  });
}

/** A page asks at some moment while its agent acts; the holder answers, or nobody does. */
async function ask(
  fixture: CampaignFixture,
  question: Question,
  alone: boolean,
  random: Random,
): Promise<string | undefined> {
  const session = await fixture.session();
  try {
    // Chrome asks before leaving a page only where the user has interacted.
    await fixture.act(session, CLICK);
    await fixture.act(session, { kind: 'evaluate', fn: '() => { window.word = "stayed"; }' });
    const shown = seen(fixture, session, question.shown);
    await fixture.act(session, question.ask(random.between(0, 120)));
    const busy = fixture.act(session, {
      kind: 'type',
      selector: '#f',
      text: 'typing',
      slowly: true,
      timeoutMs: 20_000,
    });
    if ((await before(SHOWN_MS, shown)).late) return 'it was shown after the marker';
    const answered = alone ? undefined : await fixture.act(session, question.answer);
    const closed = await before(
      BY_ITSELF_MS,
      seen(fixture, session, ({ dialog }) => dialog === undefined),
    );
    if (answered?.ok === false || closed.late) return answered?.error?.code ?? 'it was closed after the marker';
    const met = (await busy).error?.code ?? 'ok';
    const [click, word] = [await fixture.act(session, CLICK), await fixture.act(session, WORD)];
    fixture.count(alone ? 'answered by themselves' : 'answered by the holder');
    if (met !== 'ok' && met !== 'DIALOG_OPEN' && !(question.name === 'beforeunload' && alone))
      return `the action beside it was answered ${met}`;
    const wanted = alone ? question.alone : question.answered;
    return click.ok && word.value === wanted
      ? undefined
      : `the page has ${JSON.stringify(word.value)} instead of ${wanted}, the next click was answered ${click.error?.code ?? 'ok'}`;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/** A file chooser blocks no call; it waits for files, or for being closed. */
async function choose(fixture: CampaignFixture): Promise<string | undefined> {
  const session = await fixture.session();
  try {
    await fixture.act(session, {
      kind: 'evaluate',
      fn: '() => { const field = document.createElement("input"); field.type = "file"; field.id = "file"; document.body.append(field); }',
    });
    const shown = seen(fixture, session, ({ chooser }) => chooser !== undefined);
    await fixture.act(session, { kind: 'click', selector: '#file' });
    if ((await before(SHOWN_MS, shown)).late) return 'it was shown after the marker';
    const click = await fixture.act(session, CLICK);
    const closed = await fixture.act(session, { kind: 'dialog', do: 'answer', accept: false });
    fixture.count('answered by the holder');
    return click.ok && closed.ok && fixture.inside(session).view().tabs[0]?.chooser === undefined
      ? undefined
      : `a click beside it was answered ${click.error?.code ?? 'ok'}, closing it ${closed.error?.code ?? 'ok'}`;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/** A page behind HTTP authentication is refused by its server, and blocks no call; with credentials it loads (PS4). */
async function logIn(fixture: CampaignFixture): Promise<string | undefined> {
  const wanted = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
  const web = await startWeb({
    '/': (request, response) =>
      response
        .writeHead(request.headers.authorization === wanted ? 200 : 401, {
          'content-type': 'text/html',
          'www-authenticate': 'Basic realm="Proof"',
        })
        .end(request.headers.authorization === wanted ? '<!doctype html><button id="b">Press</button>' : ''),
  });
  const session = await fixture.session();
  const go = async (): Promise<string> =>
    (await fixture.act(session, { kind: 'navigate', url: `${web.origin}/`, timeoutMs: 20_000 })).error?.code ?? 'ok';
  try {
    const without = await go();
    const alive = await fixture.act(session, { kind: 'evaluate', fn: '1' });
    await fixture.act(session, {
      kind: 'emulate',
      do: 'set',
      set: { credentials: { username: 'ann', password: 'secret', origin: web.origin } },
    });
    const withThem = await go();
    const click = await fixture.act(session, CLICK);
    fixture.count('logins');
    const told = [without, alive.error?.code ?? 'ok', withThem, click.error?.code ?? 'ok'].join(', ');
    return told === 'NAV_FAILED, ok, ok, ok' ? undefined : `without and with credentials: ${told}`;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    web.close();
  }
}

/** A page that prints goes on; a headless Chrome shows no dialog of its own. */
async function print(fixture: CampaignFixture): Promise<string | undefined> {
  const session = await fixture.session();
  try {
    await fixture.act(session, later(0, 'print(); window.word = "printed";'));
    await fixture.act(session, { kind: 'wait', fn: 'window.word === "printed"', timeoutMs: BY_ITSELF_MS });
    const [click, word] = [await fixture.act(session, CLICK), await fixture.act(session, WORD)];
    fixture.count('prints');
    return click.ok && word.value === 'printed'
      ? undefined
      : `the page has ${JSON.stringify(word.value)}, the next click was answered ${click.error?.code ?? 'ok'}`;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

/** A page that asks a thousand times in a row is shown five times and gets "no" from then on, and no click is lost. */
async function askOnAndOn(fixture: CampaignFixture): Promise<string | undefined> {
  const session = await fixture.session();
  try {
    await fixture.act(
      session,
      later(0, 'window.word = 0; for (let count = 0; count < 1000; count += 1) { alert(count); window.word += 1; }'),
    );
    for (let count = 1; count <= SHOWN_OF_MANY; count += 1) {
      await seen(fixture, session, ({ dialog }) => dialog?.id === `d${count}`);
      await fixture.act(session, { kind: 'dialog', do: 'answer', accept: true });
    }
    const click = await fixture.act(session, { ...CLICK, timeoutMs: 60_000 });
    const { value } = await fixture.act(session, { kind: 'evaluate', fn: '[window.word, window.clicks]' });
    const shown = (await fixture.inside(session).timeline.events({ kind: 'dialog', limit: 100 })).flatMap(
      ({ said }) => said?.code ?? [],
    );
    fixture.count('loops of dialogs');
    const wanted = [...Array.from({ length: SHOWN_OF_MANY }, () => 'alertOpened'), 'dialogsSilenced'];
    return click.ok && JSON.stringify(value) === '[1000,1]' && shown.join() === wanted.join()
      ? undefined
      : `of 1000 dialogs and a click the page has ${JSON.stringify(value)}, the timeline ${shown.join(', ')}, the click was answered ${click.error?.code ?? 'ok'}`;
  } finally {
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
  }
}

type Try = readonly [name: string, run: (fixture: CampaignFixture, random: Random) => Promise<string | undefined>];

const TRIES: readonly Try[] = [
  ...DIALOGS.flatMap((question): Try[] =>
    [false, true].map((alone): Try => [
      `${question.name}${alone ? ' that nobody answers' : ''}`,
      (fixture, random) => ask(fixture, question, alone, random),
    ]),
  ),
  ['file chooser', choose],
  ['HTTP login', logIn],
  ['print', print],
];

async function one([name, run]: Try, fixture: CampaignFixture, random: Random): Promise<string | undefined> {
  const problem = await run(fixture, random);
  return problem && `${name}: ${problem}`;
}

/** The last one is not in the test suite, where a test of its own makes fewer dialogs. */
const ALL: readonly Try[] = [...TRIES, ['a thousand dialogs', askOnAndOn]];

/** F6: the holder sees every question of a page, can answer it, and is not blocked by it for ever. */
export const pageDialogs: Campaign = {
  id: 'F6',
  about:
    'alert, confirm, prompt, leaving, file chooser, HTTP login, print at any moment: shown to the holder in time, answered by them or by itself, a thousand in a row shown five times, and the next click works',
  full: ALL.length * 20,
  round: async (fixture, random, index) => {
    const turn = ALL[index % ALL.length];
    return turn && one(turn, fixture, random);
  },
  // All at once: those without an answer wait together.
  inSmall: async (fixture, random) =>
    (await Promise.all(TRIES.map((turn) => one(turn, fixture, random))))
      .filter((problem) => problem !== undefined)
      .join('; ') || undefined,
};

import { beforeAll, describe, expect, it } from 'vitest';
import type { DoneAction } from '@/lib/actions/done';
import { PersonInput } from '@/server/testing/person-input';
import { soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * A person's actions inside frames of every kind are recorded by element and frame, so that they can be repeated (CO5,
 * CO11).
 */

const at = (top: number, rest = ''): string =>
  `style="position:absolute;left:10px;top:${top}px;width:120px;height:20px" ${rest}`;
const frame = (left: number, top: number, rest: string): string =>
  `<iframe ${rest} style="position:absolute;left:${left}px;top:${top}px;width:200px;height:200px;border:0"></iframe>`;
/** A frame's content: a button that is called as in all others, a plain place without a name, and a field. */
const content = (deeper = ''): string =>
  `<body style="margin:0"><button ${at(5)}>Send</button><div ${at(30, 'class="zone" onclick="this.dataset.hit = 1"')}></div><input ${at(55, 'aria-label="Note"')}>${deeper}`;
const inner = (src: string): string => frame(0, 80, `src="${src}"`);

const PAGES = {
  '/': `<title>Outside</title><body style="margin:0">${frame(0, 0, 'src="/same"')}${frame(200, 0, 'src="ELSEWHERE/away"')}${frame(400, 0, `srcdoc='${content()}'`)}<button ${at(220)}>Send</button><button ${at(250)}>Send</button>`,
  '/same': content(inner('ELSEWHERE/in-same')),
  '/away': content(inner('/in-away')),
  '/in-same': content(),
  '/in-away': content(),
};
/** Where each frame's content begins in the picture, what names it, and where that says nothing, what finds it. */
const FRAMES = [
  { kind: 'of the same site', x: 0, y: 0, name: '/same' },
  { kind: 'of another site', x: 200, y: 0, name: '/away' },
  { kind: 'of another site in one of the same', x: 0, y: 80, name: '/in-same' },
  { kind: 'in one of another site', x: 200, y: 80, name: '/in-away' },
  { kind: 'without an address', x: 400, y: 0, name: 'f', found: 'iframe[srcdoc]' },
];
/** Settles when a frame is painted with its field: from then on presses reach it. */
const DRAWN =
  '(field) => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(field.localName))))';

const fixture = useServerFixture(PAGES);

/** One session for all tests: its frames are four processes. */
let id: string;
beforeAll(async () => {
  ({ id } = await fixture.server.session(fixture.url));
  const { tab } = fixture.inside(id).registry.find('t1');
  await soon(
    () => tab.frames.list().length === 6 && tab.frames.list().every(({ sessions, url }) => sessions && url !== ''),
  );
  for (const { name, found = name } of FRAMES)
    expect(
      await fixture.server.act(id, { kind: 'evaluate', selector: 'input', frame: found, fn: DRAWN, timeoutMs: 20_000 }),
    ).toMatchObject({ value: 'input' });
}, 60_000);

const rows = () => fixture.inside(id).timeline.events({ kind: 'input', limit: 1_000 });

/** A person takes the lease, sends raw input, and releases the lease; returns what was recorded. */
async function recorded(input: (owner: PersonInput) => Promise<void>): Promise<DoneAction[]> {
  const before = new Set((await rows()).map(({ id: row }) => row));
  const person = fixture.person();
  await ask(person, 'session.join', { session: id });
  await ask(person, 'control', { session: id, tab: 't1', do: 'take' });
  await input(new PersonInput(person, fixture.inside(id)));
  const own = async () => (await rows()).filter(({ id: row }) => !before.has(row));
  // It ends by itself: ending a hold would leave a busy page too little time to report the typed text.
  await soon(async () => {
    const all = await own();
    return (
      all.length > 0 &&
      all.every(({ id: row }) => all.some(({ id: other, phase }) => other === row && phase === 'outcome'))
    );
  });
  expect((await fixture.control(id, { do: 'release' })).status).toBe(200);
  return (await own()).flatMap(({ did = [] }) => did);
}

describe('raw input inside frames', () => {
  it('[CO5] [CO11] of every kind is recorded by role, name and frame, by a selector if there is no name, and can be repeated', async () => {
    const did: DoneAction[] = [];
    for (const { kind, x, y, name } of FRAMES) {
      const told = await recorded(async (owner) => {
        await owner.click(x + 60, y + 15);
        await owner.click(x + 60, y + 40);
        await owner.click(x + 60, y + 65);
        await owner.keys('ab');
      });
      const frame = expect.stringMatching(name === 'f' ? /^f[1-5]$/ : new RegExp(`${name}$`));
      const typed = told.filter(({ action }) => action.kind === 'type');
      const others = told.filter((done) => !typed.includes(done));
      expect(
        others.map(({ action, element }) => [action, element?.name]),
        kind,
      ).toEqual([
        [{ kind: 'click', role: 'button', name: 'Send', frame }, 'Send'],
        [{ kind: 'click', selector: 'div:nth-of-type(1)', frame }, ''],
        [{ kind: 'click', role: 'textbox', name: 'Note', frame }, 'Note'],
      ]);
      // On a busy machine one run of keys may become two.
      expect([typed[0]?.action, typed.map(({ action }) => String(action['text'])).join('')], kind).toEqual([
        expect.objectContaining({ role: 'textbox', name: 'Note', frame }),
        'ab',
      ]);
      did.push(...told);
    }
    const again = [];
    for (const { action } of did) again.push(await fixture.server.act(id, action));
    expect(again.map(({ error }) => error)).toEqual(did.map(() => undefined));
  }, 120_000);

  it('[CO11] beside them, elements with the same name are recorded by selectors that fit one', async () => {
    const did = await recorded(async (owner) => {
      await owner.click(70, 230);
      await owner.click(70, 260);
    });

    expect(did.map(({ step }) => step)).toEqual([
      'click selector="button:nth-of-type(1)"',
      'click selector="button:nth-of-type(2)"',
    ]);
  }, 60_000);
});

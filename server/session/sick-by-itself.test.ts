import { timingsWith } from '@/server/config/timings';
import { RECOVERY } from '@/server/session/feature-slots';
import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { SessionView } from '@/lib/protocol/views';
import { soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';
import type { Session } from './session';
import { chromeOf, lives, processesOf } from './testing/chromes';
import { stateOf } from './testing/crashes';

/** The server notices by itself that a Chrome answers nothing (BR5, CO9). */

const PAGE =
  '<title>Shop</title><script>document.cookie = "basket=fern"; localStorage.setItem("basket", "fern")</script>';
/** Nearly four seconds of silence: long for a busy machine, short for a test. */
const fixture = useServerFixture(PAGE, {
  timings: timingsWith({ chrome: { everyMs: 200, beats: 8, onceMoreMs: 2_000, lookEveryMs: 100 } }),
});

const SEEN = '[location.search, localStorage.getItem("basket"), document.cookie]';

/** The timeline's messages about the session's Chrome. */
async function told(session: Session): Promise<(string | undefined)[]> {
  const rows = await session.timeline.events({ kind: 'browser', limit: 50 });
  return rows.map(({ said }) => said?.code);
}

async function pageOf(query: string): Promise<string> {
  const { id } = await fixture.server.session(`${fixture.url}${query}`);
  await RECOVERY.of(fixture.inside(id)).save();
  return id;
}

describe.runIf(process.platform === 'linux')('a Chrome that runs but answers nothing', () => {
  it('[BR5][CO9] is ended with all its processes and replaced: both its sessions are restored, the call under way is answered, the timeline and watchers are told', async () => {
    const [one, two] = [await pageOf('?one'), await pageOf('?two')];
    const wall = fixture.person();
    const shown: Pick<SessionView, 'id' | 'state'>[] = [];
    wall.on('session.state', ({ id, state }) => shown.push({ id, state }));
    await ask(wall, 'wall.watch', {});
    const sick = await chromeOf(fixture.server);
    const processes = processesOf(sick);
    const under = fixture.server.act(one, { kind: 'evaluate', fn: '() => new Promise(() => {})', timeoutMs: 60_000 });
    const down = [one, two].map((id) => stateOf(fixture.server, id, 'browser-down'));
    process.kill(sick.pid, 'SIGSTOP');
    await Promise.all(down);
    const { error } = await under;
    await Promise.all([one, two].map((id) => stateOf(fixture.server, id, 'live')));
    await soon(() => !processes.some(lives));
    await soon(() => !existsSync(sick.profile));
    const found = await Promise.all([one, two].map((id) => fixture.server.act(id, { kind: 'evaluate', fn: SEEN })));
    await soon(() => [one, two].every((id) => shown.findLast((view) => view.id === id)?.state === 'live'));

    expect(processes.length).toBeGreaterThan(3);
    expect(error?.code).toBe('BROWSER_DOWN');
    expect((await chromeOf(fixture.server)).pid).not.toBe(sick.pid);
    expect(found.map(({ value }) => value)).toEqual([
      ['?one', 'fern', 'basket=fern'],
      ['?two', 'fern', 'basket=fern'],
    ]);
    for (const id of [one, two]) {
      expect(await told(fixture.inside(id))).toEqual([
        'chromeSilent',
        'chromeReturning',
        'browserReturned',
        'stateRestoredOf',
      ]);
      expect(shown.filter((view) => view.id === id).map(({ state }) => state)).toContain('browser-down');
    }
  }, 60_000);

  it('[BR5] is not ended if it answers the last check', async () => {
    const id = await pageOf('?kept');
    await fixture.server.act(id, { kind: 'evaluate', fn: '() => { window.kept = "here"; }' });
    const chrome = await chromeOf(fixture.server);
    const { browsers } = fixture.server.running.services;
    // The latest moment that is in time.
    const asked = vi.spyOn(browsers, 'answers');
    asked.mockImplementationOnce((browser) => {
      asked.mockRestore();
      process.kill(chrome.pid, 'SIGCONT');
      return browsers.answers(browser);
    });
    process.kill(chrome.pid, 'SIGSTOP');
    const { value, error } = await fixture.server.act(id, { kind: 'evaluate', fn: 'window.kept', timeoutMs: 30_000 });
    const [still, rows, { state }] = [lives(chrome), await told(fixture.inside(id)), fixture.inside(id)];

    expect([value, error, still, rows, state]).toEqual(['here', undefined, true, [], 'live']);
  }, 60_000);
});

import { describe, expect, it } from 'vitest';
import { PageProcessCounter, CHROME_SAYS } from './page-process-counter';
import { passed } from './filter';

const BROWSER = 1;
const GPU = 2;
const MINE = 10;
const LATER = 11;
const OTHER = 20;

const named = (pid: number, name: string): object => ({
  ph: 'M',
  cat: '__metadata',
  name: 'process_name',
  pid,
  args: { name },
});
const started = {
  ph: 'I',
  cat: CHROME_SAYS,
  name: 'TracingStartedInBrowser',
  pid: BROWSER,
  args: { data: { frames: [{ frame: 'A', processId: MINE, url: 'http://mine/' }] } },
};
const committed = {
  ph: 'I',
  cat: CHROME_SAYS,
  name: 'FrameCommittedInBrowser',
  pid: BROWSER,
  args: { data: { frame: 'A', processId: LATER } },
};
const HEAD = [
  named(BROWSER, 'Browser'),
  named(GPU, 'GPU Process'),
  named(MINE, 'Renderer'),
  named(LATER, 'Renderer'),
  named(OTHER, 'Renderer'),
  started,
  committed,
];

/** The events that the filter passes, without the head that every trace has. */
function out(...events: object[]): unknown[] {
  const census = new PageProcessCounter();
  const texts = [...events, ...HEAD].map((event) => JSON.stringify(event));
  for (const text of texts) census.see(text);
  return texts
    .slice(0, events.length)
    .flatMap((text) => passed(text, census.result()) ?? [])
    .map((text): unknown => JSON.parse(text));
}

describe('a trace that is given out', () => {
  it("[PS5] contains the work of the page's processes, including later ones", () => {
    const mine = [MINE, LATER].map((pid) => ({
      ph: 'X',
      cat: 'devtools.timeline',
      name: 'Layout',
      pid,
      args: { data: 1 },
    }));
    expect(out(...mine, started, committed)).toEqual([...mine, started, committed]);
  });

  it('[T6] [PS5] contains nothing of other pages: not of their processes, nor of Chrome’s own, in any category', () => {
    const secret = { url: 'http://other/secret' };
    expect(
      out(
        { ph: 'X', cat: 'devtools.timeline', name: 'CommitLoad', pid: OTHER, args: secret },
        { ph: 'M', cat: '__metadata', name: 'process_labels', pid: MINE, args: { labels: 'title of a page' } },
        { ph: 'M', cat: '__metadata', name: 'thread_name', pid: OTHER, args: secret },
        { ph: 'X', cat: 'loading', name: 'ThrottlingURLLoader::OnReceiveResponse', pid: BROWSER, args: secret },
        { ph: 'X', cat: 'loading', name: 'FrameCommittedInBrowser', pid: BROWSER, args: secret },
        { ph: 'X', cat: CHROME_SAYS, name: 'RunTask', pid: BROWSER, args: secret },
        { ph: 'X', cat: CHROME_SAYS, name: 'GPUTask', pid: GPU, args: { data: { renderer_pid: OTHER } } },
      ),
    ).toEqual([]);
  });

  it('[PS5] a page that writes marks like Chrome’s own brings no process in', () => {
    const forged = {
      ph: 'I',
      cat: 'blink.user_timing',
      name: 'TracingStartedInBrowser',
      pid: MINE,
      args: { data: { frames: [{ processId: OTHER }] } },
    };
    const theirs = { ph: 'X', cat: 'devtools.timeline', name: 'Layout', pid: OTHER, args: {} };
    expect(out(forged, { ...forged, cat: CHROME_SAYS }, theirs)).toEqual([forged, { ...forged, cat: CHROME_SAYS }]);
  });

  it('[PS5] work of the graphics process is given for the page only', () => {
    const task = { ph: 'X', cat: CHROME_SAYS, name: 'GPUTask', pid: GPU, args: { data: { renderer_pid: MINE } } };
    expect(out(task)).toEqual([task]);
  });

  it('[T14] contains addresses and headers without their secrets', () => {
    const event = {
      ph: 'I',
      cat: 'devtools.timeline',
      name: 'ResourceReceiveResponse',
      pid: MINE,
      args: {
        data: {
          url: 'http://mine/?token=canary',
          headers: [
            { name: 'Set-Cookie', value: 'a=canary; Path=/' },
            { name: 'X-Kind', value: 'plain' },
          ],
        },
      },
    };
    const [given] = out(event);
    expect(given).toEqual({
      ...event,
      args: {
        data: {
          url: 'http://mine/?token=•••',
          headers: [
            { name: 'Set-Cookie', value: 'a=•••; Path=/' },
            { name: 'X-Kind', value: 'plain' },
          ],
        },
      },
    });
  });

  it('[PS5] contains nothing unless Chrome says whose trace it is', () => {
    const text = JSON.stringify({ ph: 'X', cat: 'devtools.timeline', name: 'Layout', pid: MINE });
    expect(passed(text, new PageProcessCounter().result())).toBeUndefined();
  });
});

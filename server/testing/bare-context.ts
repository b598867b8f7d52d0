import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError, toWire, WheelhouseError } from '@/lib/errors/error';
import type { ActionContext, ResolvedTarget } from '@/server/actions/context';
import { runHandler } from '@/server/actions/registry';
import { Downloads } from '@/server/browser/files/downloads';
import { SessionFiles } from '@/server/browser/files/session-files';
import type { Tab } from '@/server/browser/tab';
import type { FencedSession } from '@/server/browser/write';

/**
 * The context that the executor gives a handler, without a session around it: one tab, no guard, no control. For tests
 * and benchmarks.
 */
export function bareContext(
  tab: Tab,
  budget: Budget,
  write: FencedSession,
  noteTarget: (resolved: ResolvedTarget) => void,
): ActionContext {
  const refuse = (): never => {
    throw new WheelhouseError('UNSUPPORTED', 'The bench has one tab and no session.');
  };
  const sessionFiles = new SessionFiles(path.join(tmpdir(), 'wheelhouse-bench-files'));
  const context: ActionContext = {
    tab,
    budget,
    write,
    tabs: {
      list: () => [],
      open: refuse,
      summary: refuse,
      focus: refuse,
      close: refuse,
      label: refuse,
      restart: refuse,
      openedSince: () => [],
    },
    reader: 'bench',
    actor: 'Bench',
    agent: { id: 'bench', name: 'Bench' },
    files: {
      sessionFiles,
      downloads: new Downloads({ sessionFiles, tabsOf: () => [tab.id], driverOf: () => undefined, hides: () => false }),
      paths: (names) => sessionFiles.paths(names),
      viewOf: ({ view }) => view,
      armReplaced: () => undefined,
      chooserClosed: () => undefined,
    },
    traces: { start: refuse, stop: refuse, state: () => ({ running: false }) },
    asWritten: { kind: 'none' },
    resolved: false,
    perform: (action) => replyOf(action.kind, () => runHandler(context, action)),
    isThisTab: () => true,
    checkUrl: (url) => url,
    demandReachable: () => Promise.resolve(),
    ending: () => undefined,
    keepSecret: () => undefined,
    showsValues: true,
    searchUrl: refuse,
    checkEvaluate: () => undefined,
    browserUrl: '',
    checkLease: () => Promise.resolve(),
    takeFree: () => Promise.resolve(),
    resize: async () => undefined,
    noteTarget,
  };
  return context;
}

async function replyOf(
  kind: string,
  run: () => Promise<{ value?: unknown; warnings?: readonly string[] }>,
): Promise<Reply> {
  const base = { id: 'inside', kind, tab: 't1', url: '', startedAt: '', ms: 0 };
  try {
    const { value, warnings = [] } = await run();
    return { ...base, ok: true, value, warnings: [...warnings] };
  } catch (error) {
    return { ...base, ok: false, warnings: [], error: toWire(asWheelhouseError(error)) };
  }
}

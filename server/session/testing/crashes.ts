import type { Session } from '@/server/session/session';
import type { TestServer } from '@/server/testing/server';

/** Kills the running Chrome with SIGKILL. */
export async function killChrome({ running }: TestServer): Promise<void> {
  const [record] = await running.services.store.browsers.listOpen(running.services.access.owner.workspace);
  process.kill(-Number(record?.pid), 'SIGKILL');
}

/** Kills Chrome and waits until the session is down; with `live`, until it has recovered. */
export async function crashTo(server: TestServer, id: string, state: 'live' | 'browser-down'): Promise<void> {
  const down = stateOf(server, id, 'browser-down');
  await killChrome(server);
  await down;
  if (state === 'live') await stateOf(server, id, 'live');
}

/** Waits until the session is in this state. */
export function stateOf(server: TestServer, id: string, state: string): Promise<void> {
  return until(server, id, (session) => session.state === state);
}

/** Waits until the session's state reason has this code. */
export function saidOf(server: TestServer, id: string, code: string): Promise<void> {
  return until(server, id, (session) => session.view().stateSaid?.code === code);
}

export function until(server: TestServer, id: string, reached: (session: Session) => boolean): Promise<void> {
  const { hub, access } = server.running.services;
  const session = hub.get(access.owner.workspace, id);
  return new Promise((resolve) => {
    const look = (): void => {
      if (!reached(session)) return;
      off();
      resolve();
    };
    const off = session.onChange.on(look);
    look();
  });
}

/** Crashes the page and waits until the timeline has an event with this code. */
export async function crashPage(server: TestServer, id: string, code: string): Promise<void> {
  const { hub, access } = server.running.services;
  const session = hub.get(access.owner.workspace, id);
  const told = new Promise<void>((resolve) => {
    const off = session.timeline.onEvent.on(({ said }) => {
      if (said?.code !== code) return;
      off();
      resolve();
    });
  });
  void session.activeSessionTab().tab.sessions.bulk.sendMayFail('Page.crash');
  await told;
}

import type { z } from 'zod';
import { PUSHES } from './answers';
import * as change from './client-state';
import type { FrameRoutes } from './frame-routes';
import type { BufferRoutes } from './buffer-routes';
import type { ServerConnection } from './server-connection';
import type { ClientStore } from './client-store';

export interface PushTargets {
  readonly store: ClientStore;
  readonly frames: FrameRoutes;
  readonly rings: BufferRoutes;
  /** A push could not be read. */
  readonly trouble: (thrown: unknown) => void;
  /** A patch came for another revision of a snapshot than the one that is here. */
  readonly unfit: (snapshot: string) => void;
}

/** Leads what the server pushes to where it belongs: state into the store, pictures to their painters. */
export function listenToPushes(
  connection: ServerConnection,
  { store, frames, rings, trouble, unfit }: PushTargets,
): void {
  const push = <T>(event: string, schema: z.ZodType<T>, then: (data: T) => void): void => {
    connection.on(event, (data) => {
      const parsed = schema.safeParse(data);
      if (parsed.success) then(parsed.data);
      else trouble(parsed.error);
    });
  };
  push('session.state', PUSHES['session.state'], (session) =>
    store.setState((room) => change.withPushedSession(room, session)),
  );
  push('session.gone', PUSHES['session.gone'], ({ id, reason }) =>
    store.setState((room) => change.withGone(room, id, reason)),
  );
  push('timeline', PUSHES.timeline, ({ session, events }) =>
    store.setState((room) => change.withEvents(room, session, events)),
  );
  push('snapshot', PUSHES.snapshot, ({ session, tab, snapshot }) =>
    store.setState((room) => change.withSnapshot(room, change.snapshotKey(session, tab), snapshot)),
  );
  push('snapshot.patch', PUSHES['snapshot.patch'], ({ session, tab, patch }) => {
    const key = change.snapshotKey(session, tab);
    const next = change.withPatch(store.getState(), key, patch);
    if (next) store.setState(next);
    else unfit(key);
  });
  push('rings', PUSHES.rings, (news) => rings.told(news.session, news.tab, news.rings));
  push('files', PUSHES.files, ({ session, files }) => store.setState((room) => change.withFiles(room, session, files)));
  push('stream.status', PUSHES['stream.status'], (status) => frames.status(status));
  connection.on('frame', (meta, picture, painted) => frame(frames, meta, picture, painted));
}

function isCredit(value: unknown): value is () => void {
  return typeof value === 'function';
}

/** A picture that cannot be read still gives its credit back. */
function frame(frames: FrameRoutes, meta: unknown, picture: unknown, painted: unknown): void {
  const parsed = PUSHES.frame.safeParse(meta);
  const credit = isCredit(painted) ? painted : () => undefined;
  if (parsed.success && picture instanceof ArrayBuffer) frames.frame({ meta: parsed.data, picture, painted: credit });
  else credit();
}

import type { Viewport } from '@/lib/geometry/picture';
import type { SessionView } from '@/lib/protocol/views';
import { formatMessage } from '@/lib/messages/format';
import type { SessionRecord } from '@/server/store/sessions';
import type { NewContext } from '@/server/fleet/browsers';
import type { SessionPolicy } from './session-parts';

/** Parameters of a new session. */
export interface NewSessionFields {
  readonly workspace: string;
  readonly isolation: SessionView['isolation'];
  readonly name: string | undefined;
  readonly viewport: Viewport;
  readonly policy?: SessionPolicy | undefined;
  readonly maker?: string;
  readonly owner?: string;
}

/** @param number used for the name of a session without one */
export function newRecord(
  id: string,
  browser: string,
  contexts: readonly NewContext[],
  { workspace, name, isolation, viewport, policy = {}, maker, owner }: NewSessionFields,
  number: number,
): SessionRecord {
  return {
    id,
    workspace,
    name: name ?? formatMessage({ code: 'sessionNumbered', number }).text,
    browser,
    isolation,
    contexts: contexts.map(({ contextId }) => contextId),
    egressPort: contexts[0]?.egressPort ?? null,
    viewport,
    policy,
    state: 'live',
    createdAt: new Date().toISOString(),
    endedAt: null,
    maker,
    owner,
  };
}

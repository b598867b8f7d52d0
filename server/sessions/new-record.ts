import { randomUUID } from 'node:crypto';
import type { Viewport } from '@/lib/geometry/picture';
import type { SessionView } from '@/lib/protocol/views';
import { say } from '@/lib/said/say';
import type { SessionRecord } from '@/server/store/sessions';
import type { SessionPolicy } from './session-parts';

/** What a new session is made of. */
export interface Birth {
  readonly workspace: string;
  readonly isolation: SessionView['isolation'];
  readonly name: string | undefined;
  readonly viewport: Viewport;
  readonly policy?: SessionPolicy | undefined;
  readonly maker?: string;
}

/** @param number for the name of one that nobody named */
export function newRecord(browser: string, contextId: string | undefined, { workspace, name, isolation, viewport, policy = {}, maker }: Birth, number: number): SessionRecord {
  return {
    id: `s_${randomUUID().replaceAll('-', '').slice(0, 12)}`,
    workspace,
    name: name ?? say({ code: 'sessionNumbered', number }).text,
    browser,
    isolation,
    contextId: contextId ?? null,
    viewport,
    policy,
    state: 'live',
    createdAt: new Date().toISOString(),
    endedAt: null,
    maker,
  };
}

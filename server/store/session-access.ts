import { z } from 'zod';
import type { SessionAccess } from '@/lib/rights/rights';
import { sessionRoleSchema, type SessionRole } from '@/lib/rights/roles';
import type { Database } from './connection';

const openSchema = z.enum(['workspace', 'named']);

export interface AccessChange {
  readonly open?: SessionAccess['open'] | undefined;
  readonly watchOnly?: boolean | undefined;
  /** A person. */
  readonly owner?: string | undefined;
  /** By person or key; null takes the role away. */
  readonly roles?: Readonly<Record<string, SessionRole | null>> | undefined;
}

/** Who may enter which session, and what as (AU3). */
export class SessionAccessRepository {
  constructor(private readonly db: Database) {}

  /** Of every session that has not ended. */
  async open(): Promise<SessionAccess[]> {
    const open = this.#sessions().where('state', '!=', 'ended');
    const roles = await this.db
      .selectFrom('session_roles')
      .innerJoin('sessions', 'sessions.id', 'session_roles.session')
      .select(['session_roles.session', 'session_roles.who', 'session_roles.role'])
      .where('sessions.state', '!=', 'ended')
      .execute();
    return (await open.execute()).map((row) =>
      toAccess(
        row,
        roles.filter(({ session }) => session === row.id),
      ),
    );
  }

  async get(workspace: string, session: string): Promise<SessionAccess | undefined> {
    const row = await this.#sessions().where('workspace', '=', workspace).where('id', '=', session).executeTakeFirst();
    const roles = this.db.selectFrom('session_roles').select(['who', 'role']).where('session', '=', session);
    return row && toAccess(row, await roles.execute());
  }

  /** Changes the named fields; returns the access as it is then, undefined when there is no such session. */
  async change(
    workspace: string,
    session: string,
    { open, watchOnly, owner, roles = {} }: AccessChange,
    now: Date,
  ): Promise<SessionAccess | undefined> {
    if (!(await this.get(workspace, session))) return undefined;
    const columns = { open, owner, ...(watchOnly === undefined ? {} : { watch_only: watchOnly ? 1 : 0 }) };
    if (Object.values(columns).some((value) => value !== undefined))
      await this.db
        .updateTable('sessions')
        .set(columns)
        .where('workspace', '=', workspace)
        .where('id', '=', session)
        .execute();
    for (const [who, role] of Object.entries(roles)) await this.#give({ workspace, session, who }, role, now);
    return this.get(workspace, session);
  }

  async #give(
    place: { readonly workspace: string; readonly session: string; readonly who: string },
    role: SessionRole | null,
    now: Date,
  ): Promise<void> {
    if (role === null)
      await this.db
        .deleteFrom('session_roles')
        .where('workspace', '=', place.workspace)
        .where('session', '=', place.session)
        .where('who', '=', place.who)
        .execute();
    else
      await this.db
        .insertInto('session_roles')
        .values({ ...place, role, created_at: now.toISOString() })
        .onConflict((conflict) => conflict.columns(['session', 'who']).doUpdateSet({ role }))
        .execute();
  }

  /** Gives the sessions of one person to another, and takes their roles away; returns the access of those changed. */
  async passOn(workspace: string, from: string, to: string): Promise<SessionAccess[]> {
    const theirs = this.db.updateTable('sessions').set({ owner: to }).where('workspace', '=', workspace);
    const owned = await theirs.where('owner', '=', from).where('state', '!=', 'ended').returning('id').execute();
    const roles = this.db.deleteFrom('session_roles').where('workspace', '=', workspace).where('who', '=', from);
    const left = await roles.returning('session').execute();
    const changed = new Set([...owned.map(({ id }) => id), ...left.map(({ session }) => session)]);
    const all = await Promise.all([...changed].map((session) => this.get(workspace, session)));
    return all.flatMap((access) => access ?? []);
  }

  #sessions() {
    return this.db.selectFrom('sessions').select(['id', 'workspace', 'owner', 'maker', 'open', 'watch_only']);
  }
}

interface Row {
  readonly id: string;
  readonly workspace: string;
  readonly owner: string | null;
  readonly maker: string | null;
  readonly open: string;
  readonly watch_only: number;
}

function toAccess(
  { id, workspace, owner, maker, open, watch_only }: Row,
  roles: readonly { readonly who: string; readonly role: string }[],
): SessionAccess {
  const key = /^key[: ](.+)$/.exec(maker ?? '')?.[1];
  const given = new Map(roles.map(({ who, role }) => [who, sessionRoleSchema.parse(role)]));
  return {
    ...{ session: id, workspace, owner: owner ?? undefined, key },
    ...{ open: openSchema.parse(open), watchOnly: watch_only === 1, roles: given },
  };
}

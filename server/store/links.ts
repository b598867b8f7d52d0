import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import { linkEndSchema, linkGrantSchema, type LinkEnd, type LinkGrant } from '@/lib/links/link-terms';
import type { Database } from './connection';
import { newId } from './ids';
import type { Tables } from './tables';

/** A share link of a session (AU4). Times are ISO 8601. */
export interface Link {
  readonly id: string;
  readonly workspace: string;
  readonly session: string;
  /** Undefined: the whole session. */
  readonly tab: string | undefined;
  /** SHA-256 of its secret. */
  readonly hash: string;
  /** As `hashPassword` wrote it; undefined: there is none. */
  readonly passcode: string | undefined;
  readonly grants: readonly LinkGrant[];
  readonly maxViewers: number | undefined;
  /** The person who made it, or whose key did. */
  readonly by: string;
  readonly byKey: string | undefined;
  /** How often somebody tried a wrong secret or passcode. */
  readonly wrong: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Undefined while nothing but its time can end it. */
  readonly ended: { readonly at: string; readonly why: LinkEnd } | undefined;
}

export type NewLink = Pick<
  Link,
  'workspace' | 'session' | 'tab' | 'hash' | 'passcode' | 'grants' | 'maxViewers' | 'by' | 'byKey'
> & { readonly expiresAt: Date };

export interface LinkChange {
  readonly grants?: readonly LinkGrant[] | undefined;
  readonly expiresAt?: Date | undefined;
  /** Null takes it away, as with `passcode`. */
  readonly maxViewers?: number | null | undefined;
  readonly passcode?: string | null | undefined;
}

/** Somebody who opened a link, in one browser. */
export interface Guest {
  readonly id: string;
  readonly workspace: string;
  readonly link: string;
  /** SHA-256 of the cookie. */
  readonly hash: string;
  readonly name: string;
  readonly address: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  /** They must open the link again: its passcode has changed. */
  readonly endedAt: string | undefined;
}

export type NewGuest = Pick<Guest, 'workspace' | 'link' | 'hash' | 'name' | 'address'>;

const grantsSchema = z.array(linkGrantSchema);

/** Share links and their guests; only digests of secrets are stored. */
export class LinkRepository {
  constructor(private readonly db: Database) {}

  async add({ by, byKey, expiresAt, ...link }: NewLink, now: Date): Promise<Link> {
    const { tab, passcode, grants, maxViewers, ...rest } = link;
    const row = {
      ...{ id: newId('sh'), ...rest, tab: tab ?? null, passcode: passcode ?? null },
      ...{ grants_json: JSON.stringify(grants), most_viewers: maxViewers ?? null },
      ...{ made_by: by, made_by_key: byKey ?? null, wrong: 0 },
      ...{ created_at: now.toISOString(), expires_at: expiresAt.toISOString(), ended_at: null, ended_why: null },
    };
    await this.db.insertInto('links').values(row).execute();
    return toLink(row);
  }

  /** The links of a session, those that have ended too, oldest first. */
  async list(workspace: string, session: string): Promise<Link[]> {
    const theirs = this.#all().where('workspace', '=', workspace).where('session', '=', session);
    return (await theirs.orderBy(sql`rowid`).execute()).map(toLink);
  }

  /** Of all workspaces, those that have not ended. */
  async open(): Promise<Link[]> {
    return (await this.#all().where('ended_at', 'is', null).execute()).map(toLink);
  }

  /** By id alone: the guest who opens a link knows no workspace. */
  async find(id: string): Promise<Link | undefined> {
    const row = await this.#all().where('id', '=', id).executeTakeFirst();
    return row && toLink(row);
  }

  /** Changes a link that has not ended; undefined when there is none. */
  async change(
    workspace: string,
    id: string,
    { grants, expiresAt, maxViewers, passcode }: LinkChange,
  ): Promise<Link | undefined> {
    const columns = {
      ...{ grants_json: grants && JSON.stringify(grants), expires_at: expiresAt?.toISOString() },
      ...{ most_viewers: maxViewers, passcode },
    };
    if (Object.values(columns).some((value) => value !== undefined))
      await this.#open(workspace).set(columns).where('id', '=', id).execute();
    const open = this.#all().where('workspace', '=', workspace).where('id', '=', id).where('ended_at', 'is', null);
    const row = await open.executeTakeFirst();
    return row && toLink(row);
  }

  /** Ends a link; false when it had ended. */
  async end(workspace: string, id: string, why: LinkEnd, now: Date): Promise<boolean> {
    const ended = { ended_at: now.toISOString(), ended_why: why };
    const result = await this.#open(workspace).set(ended).where('id', '=', id).executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async countWrong(id: string): Promise<void> {
    await this.db
      .updateTable('links')
      .set((row) => ({ wrong: row('wrong', '+', 1) }))
      .where('id', '=', id)
      .execute();
  }

  async addGuest(guest: NewGuest, now: Date): Promise<Guest> {
    const time = now.toISOString();
    const row = { id: newId('g'), ...guest, created_at: time, last_seen_at: time, ended_at: null };
    await this.db.insertInto('guests').values(row).execute();
    return toGuest(row);
  }

  /** The guest with this cookie, also one whose link has ended. */
  async guest(hash: string): Promise<Guest | undefined> {
    const row = await this.db.selectFrom('guests').selectAll().where('hash', '=', hash).executeTakeFirst();
    return row && toGuest(row);
  }

  /** The guests of a link, oldest first. */
  async guests(workspace: string, link: string): Promise<Guest[]> {
    const theirs = this.db.selectFrom('guests').selectAll().where('workspace', '=', workspace).where('link', '=', link);
    return (await theirs.orderBy(sql`rowid`).execute()).map(toGuest);
  }

  /** A number that is no name of a guest of this session, whatever their link. */
  async freeNumber(workspace: string, session: string): Promise<string> {
    const links = this.db
      .selectFrom('links')
      .select('id')
      .where('workspace', '=', workspace)
      .where('session', '=', session);
    const guests = await this.db.selectFrom('guests').select('name').where('link', 'in', links).execute();
    const names = new Set(guests.map(({ name }) => name));
    let number = guests.length + 1;
    while (names.has(`${number}`)) number += 1;
    return `${number}`;
  }

  async nameGuest(workspace: string, id: string, name: string): Promise<void> {
    await this.db.updateTable('guests').set({ name }).where('workspace', '=', workspace).where('id', '=', id).execute();
  }

  /** Notes when, and from which address, a guest came last. */
  async seen(workspace: string, id: string, address: string, now: Date): Promise<void> {
    const change = this.db.updateTable('guests').set({ address, last_seen_at: now.toISOString() });
    await change.where('workspace', '=', workspace).where('id', '=', id).execute();
  }

  /** The guests of a link must open it again; returns their ids. */
  async endGuests(workspace: string, link: string, now: Date): Promise<string[]> {
    const change = this.db.updateTable('guests').set({ ended_at: now.toISOString() });
    const theirs = change.where('workspace', '=', workspace).where('link', '=', link).where('ended_at', 'is', null);
    return (await theirs.returning('id').execute()).map(({ id }) => id);
  }

  /** Forgets the guests who opened a link before, and never came; returns their ids. */
  async forgetGuests(workspace: string, link: string, before: Date): Promise<string[]> {
    const theirs = this.db.deleteFrom('guests').where('workspace', '=', workspace).where('link', '=', link);
    const never = theirs.whereRef('last_seen_at', '=', 'created_at').where('created_at', '<', before.toISOString());
    return (await never.returning('id').execute()).map((row) => row.id);
  }

  /** Forgets the links that ended before, with their guests. */
  async prune(before: Date): Promise<void> {
    const ended = this.db.selectFrom('links').select('id').where('ended_at', '<', before.toISOString());
    await this.#forget((await ended.execute()).map(({ id }) => id));
  }

  /** Forgets the ended links of a session, with their guests, but for those that ended last. */
  async keepEnded(workspace: string, session: string, most: number): Promise<void> {
    const ended = this.#all().where('workspace', '=', workspace).where('session', '=', session);
    const last = ended
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .orderBy(sql`rowid`, 'desc');
    await this.#forget((await last.execute()).slice(most).map(({ id }) => id));
  }

  async #forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.db.deleteFrom('guests').where('link', '=', id).execute();
      await this.db.deleteFrom('links').where('id', '=', id).execute();
    }
  }

  #all() {
    return this.db.selectFrom('links').selectAll();
  }

  #open(workspace: string) {
    return this.db.updateTable('links').where('workspace', '=', workspace).where('ended_at', 'is', null);
  }
}

function toLink({ tab, passcode, most_viewers, made_by, made_by_key, ...row }: Selectable<Tables['links']>): Link {
  const { id, workspace, session, hash, grants_json, wrong, created_at, expires_at, ended_at, ended_why } = row;
  return {
    ...{ id, workspace, session, tab: tab ?? undefined, hash, passcode: passcode ?? undefined, wrong },
    ...{ grants: grantsSchema.parse(JSON.parse(grants_json)), maxViewers: most_viewers ?? undefined },
    ...{ by: made_by, byKey: made_by_key ?? undefined, createdAt: created_at, expiresAt: expires_at },
    ended: ended_at === null ? undefined : { at: ended_at, why: linkEndSchema.parse(ended_why) },
  };
}

function toGuest({ created_at, last_seen_at, ended_at, ...guest }: Selectable<Tables['guests']>): Guest {
  return { ...guest, createdAt: created_at, lastSeenAt: last_seen_at, endedAt: ended_at ?? undefined };
}

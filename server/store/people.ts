import type { Connection } from './connection';
import { newId } from './ids';

export interface Person {
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly role: string;
  /** Grows when what this person may do changes (R3). */
  readonly rev: number;
}

/** Workspaces and the people in them. */
export class PersonRepository {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The first workspace and its owner: made at the first start, found at every later one (AU1). */
  ensureOwner(names: { workspace: string; owner: string }, now: Date): Person {
    return this.#connection.atomically(() => {
      const { db } = this.#connection;
      const found = this.#connection.one(
        db.selectFrom('people').selectAll().where('role', '=', 'owner').orderBy('created_at').limit(1),
      );
      if (found) return toPerson(found);
      const workspace = { id: newId('w'), name: names.workspace, created_at: now.toISOString() };
      const person = {
        id: newId('p'),
        workspace: workspace.id,
        name: names.owner,
        role: 'owner',
        rev: 0,
        created_at: now.toISOString(),
      };
      this.#connection.run(db.insertInto('workspaces').values(workspace));
      this.#connection.run(db.insertInto('people').values(person));
      return toPerson(person);
    });
  }

  /** The ids of all workspaces, oldest first. */
  async workspaces(): Promise<string[]> {
    const rows = await this.#connection.db.selectFrom('workspaces').select('id').orderBy('created_at').execute();
    return rows.map(({ id }) => id);
  }

  /** Makes a workspace with nobody in it; gives its id. */
  addWorkspace(name: string, now: Date): string {
    const workspace = { id: newId('w'), name, created_at: now.toISOString() };
    this.#connection.run(this.#connection.db.insertInto('workspaces').values(workspace));
    return workspace.id;
  }

  async get(workspace: string, id: string): Promise<Person | undefined> {
    const row = await this.#connection.db
      .selectFrom('people')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toPerson(row);
  }
}

function toPerson(row: { id: string; workspace: string; name: string; role: string; rev: number }): Person {
  return { id: row.id, workspace: row.workspace, name: row.name, role: row.role, rev: row.rev };
}

import type { Database } from './connection';
import { newId } from './ids';

export interface Person {
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly role: string;
  /** Grows when the rights of this person change. */
  readonly rev: number;
}

/** Workspaces and the people in them. */
export class PersonRepository {
  constructor(private readonly db: Database) {}

  /** The first workspace and its owner: created at the first start, found at every later one (AU1). */
  ensureOwner(names: { workspace: string; owner: string }, now: Date): Promise<Person> {
    return this.db.transaction().execute(async (tx) => {
      const owners = tx.selectFrom('people').selectAll().where('role', '=', 'owner');
      const found = await owners.orderBy('created_at').limit(1).executeTakeFirst();
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
      await tx.insertInto('workspaces').values(workspace).execute();
      await tx.insertInto('people').values(person).execute();
      return toPerson(person);
    });
  }

  /** The ids of all workspaces, oldest first. */
  async workspaces(): Promise<string[]> {
    const rows = await this.db.selectFrom('workspaces').select('id').orderBy('created_at').execute();
    return rows.map(({ id }) => id);
  }

  /** Creates a workspace without members; returns its id. */
  async addWorkspace(name: string, now: Date): Promise<string> {
    const workspace = { id: newId('w'), name, created_at: now.toISOString() };
    await this.db.insertInto('workspaces').values(workspace).execute();
    return workspace.id;
  }

  async get(workspace: string, id: string): Promise<Person | undefined> {
    const row = await this.db
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

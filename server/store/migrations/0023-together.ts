import { sql, type Kysely, type Migration } from 'kysely';

/** Share links with their guests (AU4), and comments with the agents that have got them (TL3). */
export const together: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`CREATE TABLE IF NOT EXISTS links (
      id TEXT PRIMARY KEY, workspace TEXT NOT NULL REFERENCES workspaces (id),
      session TEXT NOT NULL REFERENCES sessions (id), tab TEXT, hash TEXT NOT NULL UNIQUE, passcode TEXT,
      grants_json TEXT NOT NULL, most_viewers INTEGER, made_by TEXT NOT NULL REFERENCES people (id), made_by_key TEXT,
      wrong INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
      ended_at TEXT, ended_why TEXT)`.execute(db);
    await sql`CREATE INDEX IF NOT EXISTS links_of_session ON links (session)`.execute(db);
    await sql`CREATE TABLE IF NOT EXISTS guests (
      id TEXT PRIMARY KEY, workspace TEXT NOT NULL REFERENCES workspaces (id), link TEXT NOT NULL REFERENCES links (id),
      hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, address TEXT NOT NULL, created_at TEXT NOT NULL,
      last_seen_at TEXT NOT NULL, ended_at TEXT)`.execute(db);
    await sql`CREATE INDEX IF NOT EXISTS guests_of_link ON guests (link)`.execute(db);
    await sql`CREATE TABLE IF NOT EXISTS comments (
      workspace TEXT NOT NULL REFERENCES workspaces (id), session TEXT NOT NULL REFERENCES sessions (id),
      seq INTEGER NOT NULL, id TEXT NOT NULL, comment_json TEXT NOT NULL, resolved INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (session, seq), UNIQUE (session, id))`.execute(db);
    await sql`CREATE TABLE IF NOT EXISTS comment_deliveries (
      workspace TEXT NOT NULL REFERENCES workspaces (id), session TEXT NOT NULL REFERENCES sessions (id),
      agent TEXT NOT NULL, comment TEXT NOT NULL, PRIMARY KEY (session, agent, comment))`.execute(db);
  },
};

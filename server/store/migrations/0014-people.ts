import { sql, type Kysely, type Migration } from 'kysely';

/**
 * People are members of workspaces, with a role in each (AU2); sessions have an owner and are open to their workspace
 * or to named people (AU3); keys have a scope and may expire; invitations; the log of a workspace. Everything that was
 * there stays: the owner owns the server, keys see their whole workspace, sessions are open to it. Runs in one
 * transaction, and again if it was interrupted before it was recorded.
 */
export const people: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM sqlite_master WHERE name = 'memberships'`.execute(db);
    if (rows.length > 0) return;
    await db.transaction().execute(async (tx) => {
      for (const statement of STATEMENTS) await sql.raw(statement).execute(tx);
    });
  },
};

const MEMBERSHIPS = [
  `ALTER TABLE workspaces ADD COLUMN policy_json TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE workspaces ADD COLUMN ended_at TEXT`,
  `CREATE TABLE memberships (
    workspace TEXT NOT NULL REFERENCES workspaces (id),
    person TEXT NOT NULL REFERENCES people (id),
    role TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace, person)
  )`,
  `INSERT INTO memberships (workspace, person, role, created_at)
    SELECT workspace, id, CASE WHEN role IN ('viewer', 'member', 'admin', 'owner') THEN role ELSE 'viewer' END, created_at
    FROM people`,
  `ALTER TABLE people ADD COLUMN server_owner INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE people ADD COLUMN removed_at TEXT`,
  `UPDATE people SET server_owner = 1
    WHERE id = (SELECT id FROM people WHERE role = 'owner' ORDER BY created_at, id LIMIT 1)`,
  `ALTER TABLE people DROP COLUMN role`,
  `ALTER TABLE people DROP COLUMN rev`,
];

const CREDENTIALS = [
  `ALTER TABLE logins ADD COLUMN factor TEXT NOT NULL DEFAULT 'link'`,
  `ALTER TABLE logins ADD COLUMN address TEXT`,
  `ALTER TABLE logins ADD COLUMN agent TEXT`,
  `ALTER TABLE logins ADD COLUMN last_used_at TEXT`,
  `CREATE INDEX logins_by_person ON logins (person)`,
  `ALTER TABLE sign_in_tokens ADD COLUMN purpose TEXT NOT NULL DEFAULT 'sign-in'`,
  `ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'workspace'`,
  `ALTER TABLE api_keys ADD COLUMN sessions_json TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE api_keys ADD COLUMN expires_at TEXT`,
  `ALTER TABLE api_keys ADD COLUMN last_used_from TEXT`,
  `ALTER TABLE api_keys ADD COLUMN rotated_at TEXT`,
  `CREATE TABLE known_browsers (
    hash TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (id),
    created_at TEXT NOT NULL,
    last_used_at TEXT NOT NULL
  )`,
  `CREATE TABLE used_codes (
    person TEXT NOT NULL REFERENCES people (id),
    digest TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (person, digest)
  )`,
  `CREATE TABLE invitations (
    id TEXT NOT NULL PRIMARY KEY,
    workspace TEXT NOT NULL REFERENCES workspaces (id),
    hash TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    email TEXT,
    made_by TEXT NOT NULL REFERENCES people (id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    used_by TEXT REFERENCES people (id),
    revoked_at TEXT
  )`,
];

/**
 * The maker of a session is a key or a sign-in (`key:k_…`; of older versions `key k_…`); its person owns the session.
 */
const ACCESS = [
  `ALTER TABLE sessions ADD COLUMN owner TEXT`,
  `ALTER TABLE sessions ADD COLUMN open TEXT NOT NULL DEFAULT 'workspace'`,
  `ALTER TABLE sessions ADD COLUMN watch_only INTEGER NOT NULL DEFAULT 0`,
  `UPDATE sessions SET owner = coalesce(
    (SELECT person FROM api_keys WHERE sessions.maker IN ('key:' || api_keys.id, 'key ' || api_keys.id)),
    (SELECT person FROM logins WHERE sessions.maker IN ('cookie:' || logins.id, 'cookie ' || logins.id)),
    (SELECT person FROM memberships WHERE memberships.workspace = sessions.workspace AND role = 'owner'
      ORDER BY created_at, person LIMIT 1))`,
  `CREATE TABLE session_roles (
    workspace TEXT NOT NULL REFERENCES workspaces (id),
    session TEXT NOT NULL REFERENCES sessions (id),
    who TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (session, who)
  )`,
];

const LOG = [
  `CREATE TABLE workspace_log (
    workspace TEXT NOT NULL REFERENCES workspaces (id),
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    payload TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (workspace, seq)
  )`,
  `CREATE TABLE workspace_log_heads (
    workspace TEXT NOT NULL PRIMARY KEY REFERENCES workspaces (id),
    seq INTEGER NOT NULL,
    digest TEXT NOT NULL,
    signed_at TEXT NOT NULL,
    signature TEXT NOT NULL
  )`,
];

const STATEMENTS = [...MEMBERSHIPS, ...CREDENTIALS, ...ACCESS, ...LOG];

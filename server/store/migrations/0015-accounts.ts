import { sql, type Kysely, type Migration } from 'kysely';

/**
 * The tables of better-auth 1.6.29 with its passkey plugin, as it would make them, frozen here: the server never lets
 * it change them (AU2). It keeps sign-ins in memory, so there is no table of sessions and none of verifications. Its
 * user is our person: same id; from now on name and address are here. Runs in one transaction, and again if it was
 * interrupted before it was recorded.
 */
export const accounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM sqlite_master WHERE name = 'auth_user'`.execute(db);
    if (rows.length > 0) return;
    await db.transaction().execute(async (tx) => {
      for (const statement of STATEMENTS) await sql.raw(statement).execute(tx);
    });
  },
};

const STATEMENTS = [
  `CREATE TABLE auth_user (
    "id" TEXT NOT NULL PRIMARY KEY REFERENCES people (id),
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL UNIQUE,
    "emailVerified" INTEGER NOT NULL,
    "image" TEXT,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL,
    "twoFactorEnabled" INTEGER
  )`,
  `CREATE TABLE auth_account (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL REFERENCES auth_user ("id") ON DELETE CASCADE,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" DATE,
    "refreshTokenExpiresAt" DATE,
    "scope" TEXT,
    "password" TEXT,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL
  )`,
  `CREATE INDEX auth_account_user ON auth_account ("userId")`,
  `CREATE UNIQUE INDEX auth_account_identity ON auth_account ("providerId", "accountId")`,
  `CREATE TABLE auth_two_factor (
    "id" TEXT NOT NULL PRIMARY KEY,
    "secret" TEXT NOT NULL,
    "backupCodes" TEXT NOT NULL,
    "userId" TEXT NOT NULL REFERENCES auth_user ("id") ON DELETE CASCADE,
    "verified" INTEGER,
    "failedVerificationCount" INTEGER,
    "lockedUntil" DATE
  )`,
  `CREATE INDEX auth_two_factor_user ON auth_two_factor ("userId")`,
  `CREATE TABLE auth_passkey (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT,
    "publicKey" TEXT NOT NULL,
    "userId" TEXT NOT NULL REFERENCES auth_user ("id") ON DELETE CASCADE,
    "credentialID" TEXT NOT NULL UNIQUE,
    "counter" INTEGER NOT NULL,
    "deviceType" TEXT NOT NULL,
    "backedUp" INTEGER NOT NULL,
    "transports" TEXT,
    "createdAt" DATE,
    "aaguid" TEXT
  )`,
  `CREATE INDEX auth_passkey_user ON auth_passkey ("userId")`,
  `INSERT INTO auth_user ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "twoFactorEnabled")
    SELECT id, name, id || '@no-address.invalid', 0, created_at, created_at, 0 FROM people`,
  `ALTER TABLE people DROP COLUMN name`,
];

import { Migrator, type Kysely, type Migration } from 'kysely';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import { backupsBeforeMigration } from '../backup';
import type { Tables } from '../tables';
import { first } from './0001-first';
import { digests } from './0002-digests';
import { questions } from './0003-questions';
import { pictures } from './0004-pictures';
import { covers } from './0005-covers';
import { receipts } from './0006-receipts';
import { masks } from './0007-masks';
import { active } from './0008-active';
import { makers } from './0010-makers';
import { egress } from './0011-egress';
import { oneChain } from './0012-one-chain';
import { contexts } from './0013-contexts';
import { people } from './0014-people';
import { accounts } from './0015-accounts';
import { between } from './0016-between';
import { madeBy } from './0017-made-by';
import { linkMakers } from './0018-link-makers';
import { removed } from './0019-removed';
import { stamps } from './0021-stamps';
import { secondFactor } from './0022-second-factor';
import { together } from './0023-together';

/** The migrations in their order. Their names are stored in the database: never rename or reorder them. */
const migrations = (dataDir: string): Record<string, Migration> => ({
  '0001-first': first,
  '0002-digests': digests,
  '0003-questions': questions,
  '0004-pictures': pictures,
  '0005-covers': covers,
  '0006-receipts': receipts,
  '0007-masks': masks,
  '0008-active': active,
  '0010-makers': makers,
  '0011-egress': egress,
  '0012-one-chain': oneChain(dataDir),
  '0013-contexts': contexts,
  '0014-people': people,
  '0015-accounts': accounts,
  '0016-between': between,
  '0017-made-by': madeBy,
  '0018-link-makers': linkMakers,
  '0019-removed': removed,
  '0021-stamps': stamps,
  '0022-second-factor': secondFactor,
  '0023-together': together,
});

/**
 * Migrates the tables to this version; does nothing when they are up to date. Calls `before` first when tables with
 * data change. Returns the names of the migrations that ran. Throws CONFLICT for a newer database.
 *
 * @param before gets the name of the first migration that will run
 */
export async function migrate(
  db: Kysely<Tables>,
  dataDir: string,
  before: (first: string) => Promise<unknown>,
): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations(dataDir)) } });
  const known = await migrator.getMigrations();
  const [next] = known.filter(({ executedAt }) => executedAt === undefined);
  if (next && known.some(({ executedAt }) => executedAt !== undefined)) await before(next.name);
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw explain(error, dataDir);
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

function explain(error: unknown, dataDir: string): unknown {
  if (!messageOf(error).includes('corrupted migrations')) return error;
  const [backup] = backupsBeforeMigration(dataDir);
  const cure =
    backup === undefined
      ? 'Start that version, or set DATA_DIR to another directory.'
      : `Start that version, or put the database in its place that was saved before the change: "${backup}".`;
  return new WheelhouseError('CONFLICT', `The database was written by a newer version of Wheelhouse. ${cure}`, {
    cause: error,
  });
}

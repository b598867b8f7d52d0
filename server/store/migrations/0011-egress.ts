import type { Kysely, Migration } from 'kysely';

/**
 * The loopback ports of the egress proxy by which a session's context, and a whole Chrome, reach the network: they are
 * the same after a restart.
 */
export const egress: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('sessions').addColumn('egress_port', 'integer').execute();
    await db.schema.alterTable('browsers').addColumn('floor_port', 'integer').execute();
  },
};

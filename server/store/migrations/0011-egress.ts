import type { Kysely, Migration } from 'kysely';

/**
 * The loopback ports of the egress proxies of a session's context and of a whole Chrome, which stay the same after a
 * restart.
 */
export const egress: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('sessions').addColumn('egress_port', 'integer').execute();
    await db.schema.alterTable('browsers').addColumn('floor_port', 'integer').execute();
  },
};

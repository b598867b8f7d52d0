import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@/server/telemetry/logger';
import { Chain } from './chain';
import type { Connection } from './connection';
import { secretFile, touchPrivate } from './data-dir';
import { Mark, type TimelineLoss } from './mark';
import { SignedEnds } from './signed-ends';
import { Signer } from './signer';
import { verifyTimeline } from './timeline-verify';

const CHAIN_KEY_FILE = 'timeline.key';
const SIGNING_KEY_FILE = 'timeline-signing.key';
/** The public half, for `wheelhouse-verify --data` and for whoever wants to keep it elsewhere. */
const PUBLIC_KEY_FILE = 'timeline-signing.pub';

export interface Signatures {
  readonly chain: Chain;
  readonly signer: Signer | undefined;
  readonly ends: SignedEnds | undefined;
  readonly mark: Mark | undefined;
  readonly loss: TimelineLoss | undefined;
}

/**
 * The keys and the counter of the timelines, held against what the database says. Throws CONFLICT when a key that was
 * used is gone.
 */
export function openSignatures(
  connection: Connection,
  dataDir: string,
  guest: boolean,
  logger: Logger,
  now: () => Date,
): Signatures {
  const { rows, signed } = whatIsSigned(connection, guest);
  const chain = new Chain(secretFile(dataDir, CHAIN_KEY_FILE, rows === undefined));
  if (guest) return { chain, signer: undefined, ends: undefined, mark: undefined, loss: undefined };
  const signer = new Signer(secretFile(dataDir, SIGNING_KEY_FILE, !signed));
  publish(dataDir, signer);
  const ends = new SignedEnds(connection, signer, now);
  const { mark, loss } = Mark.open(dataDir, chain, rows ?? 0);
  if (loss) logger.error({ count: loss.rows }, loss.message);
  catchUp({ connection, chain, signer, ends, logger });
  return { chain, signer, ends, mark, loss };
}

/**
 * How many rows all timelines have together, undefined when nothing was ever sealed; and whether any end was ever
 * signed.
 */
function whatIsSigned(connection: Connection, guest: boolean): { rows: number | undefined; signed: boolean } {
  const heads = connection.db.selectFrom('timeline_heads');
  const rows = connection.one(heads.select((row) => [row.fn.sum<number | null>('seq').as('rows')]))?.rows ?? undefined;
  // A guest may look at a database that this version has not brought up to date yet.
  return {
    rows,
    signed: !guest && connection.one(heads.select('session').where('signature', 'is not', null).limit(1)) !== undefined,
  };
}

function publish(dataDir: string, signer: Signer): void {
  const path = join(dataDir, PUBLIC_KEY_FILE);
  touchPrivate(path);
  if (readFileSync(path, 'utf8') !== signer.pem) writeFileSync(path, signer.pem);
}

/** Signs what a killed run could not sign any more, if the keyed chain says that nobody changed it meanwhile. */
function catchUp({
  connection,
  chain,
  signer,
  ends,
  logger,
}: {
  connection: Connection;
  chain: Chain;
  signer: Signer;
  ends: SignedEnds;
  logger: Logger;
}): void {
  for (const { workspace, session } of ends.unsigned()) {
    const verdict = verifyTimeline(connection, { chain, signer }, workspace, session);
    if (verdict.ok) ends.sign(workspace, session);
    else logger.error({ session }, `A timeline does not verify and is not signed: ${verdict.problem}.`);
  }
}

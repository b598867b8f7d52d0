import { WheelhouseError } from '@/lib/errors/error';
import { CAPS, type AccessLimits } from '@/server/access/limits';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import type { Caller } from './caller';
import { actorOf, type Participants } from './participants';
import type { Timeline } from './timeline';

export interface RefusalLimiterDeps {
  readonly limits: Pick<AccessLimits, 'refusals'>;
  readonly participants: Participants;
  readonly timeline: Timeline;
  readonly metrics: Metrics;
  readonly logger: Logger;
  changed(): void;
}

/** What an agent is told that acts although it has no wheel. */
const REFUSALS: ReadonlySet<string> = new Set(['CONTROL_HELD', 'CONTROL_LOST']);

/**
 * Agents that go on acting after they lost the wheel (F23): counted, marked for everybody, and soon not listened to.
 */
export class RefusalLimiter {
  constructor(private readonly deps: RefusalLimiterDeps) {}

  /** Counts an answer. The door closes the connection that got too many of them. */
  async told({ principal, door }: Caller, code: string | undefined): Promise<void> {
    if (principal.kind !== 'agent' || code === undefined || !REFUSALS.has(code)) return;
    const { limits, participants, timeline, metrics, logger } = this.deps;
    if ((await limits.refusals.take(principal.id)) === 0 || !participants.flag(principal.id)) return;
    metrics.stubbornAgent();
    logger.warn(
      { participant: principal.id, key: principal.credential.id },
      'an agent goes on acting without the wheel',
    );
    timeline.tell({ kind: 'refused', said: { code: 'agentStubborn' }, actor: actorOf(principal), door });
    this.deps.changed();
  }

  /** Throws RATE_LIMITED for one that was refused too often a moment ago. */
  async check(participant: string): Promise<void> {
    const retryInMs = await this.deps.limits.refusals.waits(participant);
    if (retryInMs === 0) return;
    throw new WheelhouseError(
      'RATE_LIMITED',
      `${CAPS.refusals.rate[0] + 1} actions without the wheel were refused. Try again in ${Math.ceil(retryInMs / 1_000)} s.`,
      {
        hint: 'Wait for the wheel instead: GET …/control/wait answers when you may act.',
        details: { retryInMs },
      },
    );
  }

  /** It acts with the wheel again. */
  acted(participant: string): void {
    if (this.deps.participants.unflag(participant)) this.deps.changed();
  }
}

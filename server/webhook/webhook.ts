import { randomUUID, createHmac } from 'node:crypto';
import { Background } from '@/lib/budget/background';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import type { Secret } from '@/server/config/secret';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import { post } from './post';

export interface WebhookLimits {
  /** One attempt, and all of them with the pauses between. Milliseconds. */
  readonly attemptMs: number;
  readonly totalMs: number;
  /** Before the second attempt, the third and so on; there are no more after the last. Milliseconds. */
  readonly pausesMs: readonly number[];
  /** Messages on their way at once; further ones are dropped and counted. */
  readonly most: number;
}

/**
 * With less than this left there is no further attempt: the last one and the whole end at the same moment.
 * Milliseconds.
 */
const NO_TIME_MS = 20;

const WEBHOOK_LIMITS: WebhookLimits = { attemptMs: 5_000, totalMs: 60_000, pausesMs: [1_000, 5_000, 20_000], most: 50 };

export interface WebhookInit {
  readonly url: URL;
  readonly secret: Secret;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'webhook'>;
  readonly limits?: WebhookLimits;
}

/** A message: its type, and fields without secrets. */
export interface WebhookMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Answers after which another attempt may help. */
const WORTH_ANOTHER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Sends events to the operator's address, signed, with bounded retries (CO6). Not awaited. */
export class Webhook {
  readonly #background: Background;
  readonly #limits: WebhookLimits;
  #underWay = 0;

  constructor(private readonly init: WebhookInit) {
    this.#limits = init.limits ?? WEBHOOK_LIMITS;
    this.#background = new Background(init.clock);
  }

  /** Returns at once. */
  tell(message: WebhookMessage): void {
    if (this.#background.over) return;
    if (this.#underWay >= this.#limits.most) {
      this.#record('dropped', 0, 'too many messages are on their way');
      return;
    }
    this.#underWay += 1;
    void this.#deliver(message).finally(() => {
      this.#underWay -= 1;
    });
  }

  /** Gives up unsent messages. */
  dispose(): void {
    this.#background.end(new WheelhouseError('ABORTED', 'The server is stopping.'));
  }

  /** Never rejects. */
  async #deliver(message: WebhookMessage): Promise<void> {
    const id = randomUUID();
    const body = JSON.stringify({ id, at: new Date().toISOString(), ...message });
    let attempt = 0;
    try {
      await this.#background.run(this.#limits.totalMs, async (budget) => {
        for (const pauseMs of [0, ...this.#limits.pausesMs]) {
          if (pauseMs > 0) await budget.pause(pauseMs);
          attempt += 1;
          if (await this.#attempt(budget, { id, type: message.type, body, attempt })) return;
        }
        throw new WheelhouseError('TIMEOUT', `No attempt of ${attempt} worked.`);
      });
      this.#record('delivered', attempt);
    } catch (error) {
      this.#record('failed', attempt, messageOf(error));
    }
  }

  /**
   * True when the receiver accepted, false when another attempt may help. Throws an error that no further attempt can
   * help.
   */
  async #attempt(
    budget: Budget,
    { id, type, body, attempt }: { id: string; type: string; body: string; attempt: number },
  ): Promise<boolean> {
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = {
      'user-agent': 'Wheelhouse',
      'x-wheelhouse-event': type,
      'x-wheelhouse-delivery': id,
      'x-wheelhouse-timestamp': String(timestamp),
      'x-wheelhouse-signature': signature(this.init.secret, timestamp, body),
    };
    const one = budget.child(this.#limits.attemptMs);
    try {
      const status = await post(one, { url: this.init.url, headers, body });
      if (status >= 200 && status < 300) return true;
      if (status < 500 && !WORTH_ANOTHER.has(status))
        throw new WheelhouseError('CONFLICT', `It was answered with status ${status}.`);
      this.#record('retried', attempt, `status ${status}`);
      return false;
    } catch (error) {
      budget.check();
      if ((error instanceof WheelhouseError && error.code !== 'TIMEOUT') || budget.remainingMs() < NO_TIME_MS)
        throw error;
      this.#record('retried', attempt, messageOf(error));
      return false;
    } finally {
      one.dispose();
    }
  }

  /** The path of the address may hold a secret of the receiver: only its host is named. */
  #record(outcome: 'delivered' | 'retried' | 'failed' | 'dropped', attempt: number, reason?: string): void {
    this.init.metrics.webhook(outcome);
    const fields = { host: this.init.url.host, attempt, outcome, ...(reason === undefined ? {} : { reason }) };
    if (outcome === 'delivered' || outcome === 'retried') this.init.logger.info(fields, 'a webhook message');
    else this.init.logger.warn(fields, 'a webhook message was not delivered');
  }
}

/**
 * HMAC-SHA256 over `timestamp.body`, hexadecimal. With the secret, the receiver can check the sender and the age.
 * @param timestamp seconds since 1970
 */
function signature(secret: Secret, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex')}`;
}

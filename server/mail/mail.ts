import { createTransport } from 'nodemailer';
import { BoundedMap } from '@/lib/async/bounded-map';
import { Background } from '@/lib/budget/background';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { messageOf, WheelhouseError } from '@/lib/errors/error';
import { formatMessage, type FormattedMessage } from '@/lib/messages/format';
import { cleanText } from '@/lib/text/clean';
import type { MailConfig } from '@/server/config/config';
import { isLoopback } from '@/server/config/loopback';
import type { MailServer } from '@/server/config/variables';
import type { Logger } from '@/server/telemetry/logger';

export interface MailLimits {
  /** One attempt, and all of them with the pauses between. Milliseconds. */
  readonly attemptMs: number;
  readonly totalMs: number;
  /** Before the second attempt, the third and so on; there are no more after the last. Milliseconds. */
  readonly pausesMs: readonly number[];
  /** Mails on their way at once; further ones fail at once. */
  readonly most: number;
}

const MAIL_LIMITS: MailLimits = { attemptMs: 20_000, totalMs: 90_000, pausesMs: [2_000, 15_000], most: 50 };
/** How long `later` waits, and how long its work may take. Milliseconds. */
const AFTER_ANSWER_MS = 200;
const LATER_MS = 10_000;
/** A hostile server may answer without end. Bytes. */
const RESPONSE_BYTES = 16_384;
/** Mails whose outcome is remembered. */
const OUTCOMES = 1_000;

/** `failed`: the link has to be passed on in another way. */
export type MailState = 'sending' | 'sent' | 'failed';

interface Message {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

interface MailInit {
  readonly config: MailConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: MailLimits;
}

/** Sends mails with links by the operator's server, with bounded retries. No caller waits for it (AU2). */
export class Mail {
  readonly #background: Background;
  readonly #limits: MailLimits;
  readonly #states = new BoundedMap<string, MailState>(OUTCOMES);
  #underWay = 0;
  #trouble: FormattedMessage | undefined;

  constructor(private readonly init: MailInit) {
    this.#limits = init.limits ?? MAIL_LIMITS;
    this.#background = new Background(init.clock);
  }

  /** Why the last mail could not be sent, for the operator; undefined when it was. */
  get trouble(): FormattedMessage | undefined {
    return this.#trouble;
  }

  /** Returns at once. @param id what `stateOf` is asked about later */
  send(id: string, message: Message): void {
    if (this.#underWay >= this.#limits.most) {
      this.#failed(id, 'too many mails are on their way');
      return;
    }
    this.#underWay += 1;
    this.#states.set(id, 'sending');
    void this.#deliver(id, message).finally(() => {
      this.#underWay -= 1;
    });
  }

  /**
   * Runs what prepares a mail when the caller has its answer, so that the time of the answer tells nothing about it.
   */
  later(work: () => Promise<void>): void {
    const late = async (budget: Budget): Promise<void> => {
      await budget.pause(AFTER_ANSWER_MS);
      await work();
    };
    void this.#background.run(LATER_MS, late).catch(() => undefined);
  }

  /** Undefined: no mail since the server started, or long ago. */
  stateOf(id: string): MailState | undefined {
    return this.#states.get(id);
  }

  /** Gives up unsent mails. */
  dispose(): void {
    this.#background.end(new WheelhouseError('ABORTED', 'The server is stopping.'));
  }

  /** Never rejects. */
  async #deliver(id: string, message: Message): Promise<void> {
    try {
      await this.#background.run(this.#limits.totalMs, (budget) => this.#tryAgain(budget, message));
      this.#states.set(id, 'sent');
      this.#trouble = undefined;
      this.init.logger.info({ host: this.init.config.server.host, outcome: 'sent' }, 'a mail was sent');
    } catch (error) {
      this.#failed(id, reasonOf(error));
    }
  }

  /** Rejects with the reason of the last attempt. */
  async #tryAgain(budget: Budget, message: Message): Promise<void> {
    for (const pauseMs of [...this.#limits.pausesMs, undefined]) {
      try {
        return await budget.within(this.#limits.attemptMs, (attempt) => this.#attempt(attempt, message));
      } catch (error) {
        if (pauseMs === undefined || isPermanent(error) || budget.remainingMs() <= pauseMs) throw error;
        this.init.logger.info(
          { host: this.init.config.server.host, reason: reasonOf(error), outcome: 'retried' },
          'a mail is tried again',
        );
        await budget.pause(pauseMs);
      }
    }
  }

  async #attempt(budget: Budget, { to, subject, text }: Message): Promise<void> {
    const { server, from } = this.init.config;
    const mail = { from, to: { name: '', address: to }, subject, text, signal: budget.signal };
    await transportOf(server, budget.remainingMs()).sendMail({
      ...mail,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** What a mail server says is text of a stranger. */
  #failed(id: string, reason: string): void {
    const { host } = this.init.config.server;
    this.#states.set(id, 'failed');
    this.#trouble = formatMessage({ code: 'mailsNotSent', host, reason });
    this.init.logger.warn({ host, reason, outcome: 'failed' }, 'a mail was not sent');
  }
}

/** @param ms for each wait of the transport itself */
function transportOf({ host, port, secure, user, password }: MailServer, ms: number) {
  const local = isLoopback(host);
  return createTransport({
    ...{ host, port, secure },
    ...(user !== undefined && { auth: { user, pass: password?.reveal() ?? '' }, forceAuth: true }),
    // A password crosses no network in clear text. A server on this computer often has a certificate of its own making.
    requireTLS: !secure && user !== undefined && !local,
    ignoreTLS: local,
    ...{ dnsTimeout: ms, connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms },
    maxResponseSize: RESPONSE_BYTES,
  });
}

const isPermanent = (error: unknown): boolean =>
  error instanceof Error && 'permanent' in error && error.permanent === true;

function reasonOf(error: unknown): string {
  return cleanText(messageOf(error), 200).replace(/[.\s]+$/u, '');
}

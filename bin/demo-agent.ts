#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError, createClient, type DemoApiClient } from '@/bin/demo/client';
import { SessionEnded, shopRounds } from '@/bin/demo/run';

/**
 * The scripted demo agent: shops at the bundled demo site through Wheelhouse's HTTP API, like any agent from outside.
 * It ends on SIGTERM or SIGINT, and, with DEMO_WATCH_STDIN=1, when its standard input closes (its parent is gone).
 */

const HELP = 'Set WHEELHOUSE_URL, WHEELHOUSE_API_KEY and DEMO_URL. DEMO_ROUNDS and DEMO_PACE_MS are optional.';

const settingsSchema = z.object({
  WHEELHOUSE_URL: z.url({
    protocol: /^https?$/,
    error: 'must be the address of Wheelhouse, such as http://127.0.0.1:7400',
  }),
  WHEELHOUSE_API_KEY: z.string({ error: 'is missing' }).min(1, 'is missing'),
  DEMO_URL: z
    .url({ protocol: /^https?$/, error: 'must be the address of the demo shop' })
    .transform((url) => url.replace(/\/+$/, '')),
  DEMO_ROUNDS: z.coerce.number({ error: 'must be a number from 1 to 1000' }).int().min(1).max(1_000).default(3),
  DEMO_PACE_MS: z.coerce.number({ error: 'must be milliseconds' }).min(0).max(60_000).optional(),
  DEMO_WATCH_STDIN: z.literal('1').optional(),
});
type Settings = z.infer<typeof settingsSchema>;

/** A person takes 600 to 1500 ms from one action to the next. */
const HUMAN_PAUSE_MS = { least: 600, most: 1_500 };
const CLEAN_UP_MS = 1_500;
/** The longest timer of Node: the idle agent waits for its signal. */
const FOREVER_MS = 2 ** 31 - 1;

const say = (line: string): void => console.log(line.replace(/[\p{Cc}\p{Cf}]/gu, ' '));

async function main(): Promise<number> {
  const settings = settingsSchema.safeParse(process.env);
  if (!settings.success) {
    for (const { path, message } of settings.error.issues) say(`${path.join('.')} ${message}.`);
    say(HELP);
    return 2;
  }
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
  const watchesParent = settings.data.DEMO_WATCH_STDIN === '1';
  if (watchesParent) process.stdin.resume().once('close', () => stop.abort());
  try {
    return await drive(settings.data, stop.signal);
  } finally {
    if (watchesParent) process.stdin.destroy();
  }
}

/** Opens the session, shops, and then idles until it is ended; returns the exit code. */
async function drive(settings: Settings, signal: AbortSignal): Promise<number> {
  const client = createClient({ url: settings.WHEELHOUSE_URL, key: settings.WHEELHOUSE_API_KEY, signal });
  let session: string | undefined;
  try {
    const opened = await client.openSession('Fern & Field checkout', `${settings.DEMO_URL}/`);
    session = opened.id;
    say(`Session ${session} is open${opened.view === undefined ? '' : `: ${opened.view}`}`);
    await shopRounds({
      client,
      session,
      shop: new URL(settings.DEMO_URL).origin,
      rounds: settings.DEMO_ROUNDS,
      pace: paceOf(settings),
      say,
      signal,
      reported: new Set(),
    });
    say('All rounds are done; the session stays open.');
    await sleep(FOREVER_MS, undefined, { signal });
    return 0;
  } catch (thrown) {
    return endWith(thrown, signal);
  } finally {
    if (session !== undefined && signal.aborted) await leave(settings, session);
  }
}

function endWith(thrown: unknown, signal: AbortSignal): number {
  if (signal.aborted) return 0;
  if (thrown instanceof SessionEnded) {
    say('The session was ended, so I stop too.');
    return 0;
  }
  if (!(thrown instanceof ApiError)) throw thrown;
  say(`${thrown.message} (${thrown.code})`);
  if (thrown.hint !== '') say(thrown.hint);
  return 1;
}

/** Ends the session, unless a person drives it. */
async function leave(settings: Settings, session: string): Promise<void> {
  const client: DemoApiClient = createClient({
    url: settings.WHEELHOUSE_URL,
    key: settings.WHEELHOUSE_API_KEY,
    signal: AbortSignal.timeout(CLEAN_UP_MS),
  });
  try {
    const { holder } = await client.control(session);
    if (holder?.kind === 'human') return say('A person is driving, so the session stays open.');
    await client.endSession(session);
    say('Session ended. Bye.');
  } catch (thrown) {
    say(`Could not end the session: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function paceOf({ DEMO_PACE_MS: fixed }: Settings): () => number {
  const { least, most } = HUMAN_PAUSE_MS;
  return () => fixed ?? least + Math.random() * (most - least);
}

process.exitCode = await main();

import { isIP } from 'node:net';
import { z } from 'zod';
import { readEngines, type SearchEngines } from '@/lib/actions/search-engines';
import type { Role } from '@/lib/rights/roles';
import { parseUrl } from '@/lib/text/url';
import { readLimits, SETTABLE, type Limits } from './limits';
import { isLoopback } from './loopback';
import { Secret } from './secret';

/** One environment variable. An empty value counts as not set. */
export interface Variable<T> {
  readonly name: string;
  /** What the variable does, for the README and `describe`. */
  readonly about: string;
  /** The default as people read it. */
  readonly shown: string;
  /** Completes "NAME "value" …". */
  readonly wrong: string;
  /** What to do instead, as the end of that sentence. */
  readonly cure: string;
  readonly schema: z.ZodType<T, string | undefined>;
  /** Its value is never printed. */
  readonly secret?: boolean;
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

const flag = z.string().transform((text, context) => {
  const value = FLAGS.get(text.toLowerCase());
  if (value !== undefined) return value;
  context.addIssue({ code: 'custom', message: 'not a flag' });
  return z.NEVER;
});

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const urlOf = (...schemes: readonly string[]) =>
  z.string().transform((text, context) => {
    const url = parseUrl(text);
    if (url && schemes.includes(url.protocol)) return url;
    context.addIssue({ code: 'custom', message: 'not such a URL' });
    return z.NEVER;
  });

/**
 * Chrome's own doors stay shut whatever the operator passes (T4), pages keep to the proxy (GU1), and the profile is
 * where we look for it.
 */
const FORBIDDEN_ARGS =
  /^--(?:remote-(?:allow-origins|debugging-)|proxy-|no-proxy-server|host-rules|host-resolver-|(?:force-)?webrtc-ip-handling-policy|user-data-dir)/i;

const mustBeEmpty = z.undefined();

const filePath = z
  .string()
  .max(1_000)
  .refine((path) => !path.includes('\0'));

export const PORT: Variable<number> = {
  name: 'PORT',
  about: 'Port to listen on; 0 lets the system choose one.',
  shown: '7400',
  wrong: 'is not a whole number from 0 to 65535',
  cure: 'use a free port such as 7400, or 0 to let the system choose',
  schema: z.string().default('7400').pipe(wholeNumber(0, 65_535)),
};

export const HOST: Variable<string> = {
  name: 'HOST',
  about:
    'Address to listen on. Any but loopback lets other computers in, and needs PUBLIC_URL and either TLS_CERT with TLS_KEY or TRUSTED_HOPS.',
  shown: '127.0.0.1',
  wrong: 'is not an IP address',
  cure: 'use 127.0.0.1 for this computer alone, or 0.0.0.0 to let other computers in',
  schema: z
    .string()
    .default('127.0.0.1')
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1').toLowerCase())
    .refine((host) => host === 'localhost' || isIP(host) !== 0),
};

export const DATA_DIR: Variable<string> = {
  name: 'DATA_DIR',
  about: 'Directory for the database, keys and Chrome profiles; made when missing, readable only by its owner.',
  shown: '.data',
  wrong: 'is not a usable path',
  cure: 'use a directory on a local disk',
  schema: z.string().default('.data').pipe(filePath),
};

export const WHEELHOUSE_API_KEY: Variable<Secret | undefined> = {
  name: 'WHEELHOUSE_API_KEY',
  about: 'Presets one key for agents with all rights of the owner; at least 24 characters.',
  shown: 'none',
  wrong: 'is shorter than 24 characters, longer than 200, or has spaces or other characters that a header cannot carry',
  cure: 'use a long random one, for example the output of "openssl rand -hex 24"',
  secret: true,
  schema: z
    .string()
    .regex(/^[\x21-\x7e]{24,200}$/)
    .transform((text) => new Secret('WHEELHOUSE_API_KEY', text))
    .optional(),
};

export const CHROME_PATH: Variable<string | undefined> = {
  name: 'CHROME_PATH',
  about: 'The Chrome or Chromium to start. Without it Wheelhouse looks for an installed one.',
  shown: 'found by itself',
  wrong: 'is not a usable path',
  cure: 'give the full path of the program, or leave it out',
  schema: filePath.optional(),
};

export const CHROME_ARGS: Variable<readonly string[]> = {
  name: 'CHROME_ARGS',
  about:
    'More flags for Chrome, separated by spaces; quotes keep spaces together. Flags for proxies, the debugging port and the profile are refused.',
  shown: 'none',
  wrong:
    'has an unclosed quote, a word that does not start with "--", or a flag that Wheelhouse sets itself, because it opens the debugging port to others, leads pages past the egress proxy, or moves the profile',
  cure: 'write flags like --lang=de --window-position=0,0, and leave out --remote-debugging-…, --remote-allow-origins, --proxy-…, --no-proxy-server, --host-rules, --host-resolver-…, --webrtc-ip-handling-policy and --user-data-dir',
  schema: z
    .string()
    .default('')
    .transform((text, context) => {
      const words = splitWords(text);
      if (words?.every((word) => word.startsWith('--') && !FORBIDDEN_ARGS.test(word))) return words;
      context.addIssue({ code: 'custom', message: 'not flags' });
      return z.NEVER;
    }),
};

export const CHROME_CDP_URL: Variable<URL | undefined> = {
  name: 'CHROME_CDP_URL',
  about: 'A running Chrome to attach to at start, by its debugging address.',
  shown: 'none',
  wrong: 'is not an http, https, ws or wss address',
  cure: 'use the address that Chrome prints, for example http://127.0.0.1:9222',
  secret: true,
  schema: urlOf('http:', 'https:', 'ws:', 'wss:').optional(),
};

export const DATABASE_URL: Variable<undefined> = {
  name: 'DATABASE_URL',
  about: 'Reserved for PostgreSQL; leave it empty.',
  shown: 'embedded SQLite',
  wrong: 'is set, but this version keeps its data in the embedded SQLite file and cannot use another database',
  cure: 'leave DATABASE_URL empty',
  secret: true,
  schema: mustBeEmpty,
};

export const REDIS_URL: Variable<undefined> = {
  name: 'REDIS_URL',
  about: 'Reserved for several servers; leave it empty.',
  shown: 'none',
  wrong: 'is set, but this version runs as one server on the embedded SQLite file and cannot use Redis',
  cure: 'leave REDIS_URL empty',
  secret: true,
  schema: mustBeEmpty,
};

export const PUBLIC_URL: Variable<URL | undefined> = {
  name: 'PUBLIC_URL',
  about: 'The address that people type; https unless it is loopback. Sign-in links and sessions are shown with it.',
  shown: 'http://HOST:PORT',
  wrong: 'is not a plain https address without path (http is for loopback only)',
  cure: 'write it like https://wheel.example.com',
  schema: urlOf('http:', 'https:')
    .refine(
      (url) =>
        url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '',
    )
    .refine((url) => url.protocol === 'https:' || isLoopback(url.hostname))
    .optional(),
};

export const TLS_CERT: Variable<string | undefined> = {
  name: 'TLS_CERT',
  about:
    'File with the certificate and those above it, as PEM; with TLS_KEY the server speaks https itself. A renewed one is used within a minute, or at SIGHUP.',
  shown: 'none',
  wrong: 'is not a usable path',
  cure: 'give the full path of the certificate, for example /etc/letsencrypt/live/wheel.example.com/fullchain.pem',
  schema: filePath.optional(),
};

export const TLS_KEY: Variable<string | undefined> = {
  name: 'TLS_KEY',
  about: 'File with the private key of TLS_CERT, as PEM without a passphrase.',
  shown: 'none',
  wrong: 'is not a usable path',
  cure: 'give the full path of the key, for example /etc/letsencrypt/live/wheel.example.com/privkey.pem',
  schema: filePath.optional(),
};

export const TRUSTED_HOPS: Variable<number> = {
  name: 'TRUSTED_HOPS',
  about:
    "How many proxies of yours stand in front, each of which adds its client to `X-Forwarded-For`; limits then count the address that the outermost of them saw. 0 takes the connection's own address and ignores the header.",
  shown: '0',
  wrong: 'is not a whole number from 0 to 10',
  cure: 'give the number of your own proxies in front, for example 1',
  schema: z.string().default('0').pipe(wholeNumber(0, 10)),
};

export const LOG_LEVEL: Variable<'debug' | 'info' | 'warn' | 'error' | 'silent'> = {
  name: 'LOG_LEVEL',
  about: 'How much is logged: debug, info, warn, error or silent.',
  shown: 'warn',
  wrong: 'is not a log level',
  cure: 'use debug, info, warn, error or silent',
  schema: z
    .string()
    .default('warn')
    .pipe(z.enum(['debug', 'info', 'warn', 'error', 'silent'])),
};

export const HEADLESS: Variable<boolean> = {
  name: 'HEADLESS',
  about: 'Start Chrome without a window on this computer.',
  shown: 'true',
  wrong: 'is neither true nor false',
  cure: 'use true or false',
  schema: z.string().default('true').pipe(flag),
};

export const CHROME_NO_SANDBOX: Variable<boolean | undefined> = {
  name: 'CHROME_NO_SANDBOX',
  about: 'Start Chrome without its sandbox. Only root needs it; as root it is the default and a warning is shown.',
  shown: 'false (true as root)',
  wrong: 'is neither true nor false',
  cure: 'use true or false',
  schema: flag.optional(),
};

export const AGENT_IDLE_MS: Variable<number> = {
  name: 'AGENT_IDLE_MS',
  about: 'Milliseconds after which an agent that does nothing gives up the wheel.',
  shown: '600000 (10 minutes)',
  wrong: 'is not a whole number from 1000 to 86400000',
  cure: 'give milliseconds, for example 600000 for 10 minutes',
  schema: z.string().default('600000').pipe(wholeNumber(1_000, 86_400_000)),
};

export const SNAPSHOT_MEMORY_MB: Variable<number> = {
  name: 'SNAPSHOT_MEMORY_MB',
  about:
    'Megabytes for pages that are kept after a snapshot, so that the next one reads only what changed; the least recently used are dropped first.',
  shown: '256',
  wrong: 'is not a whole number from 8 to 16384',
  cure: 'give megabytes, for example 256',
  schema: z.string().default('256').pipe(wholeNumber(8, 16_384)),
};

export const LIMITS: Variable<Limits> = {
  name: 'LIMITS',
  about: 'Limits that differ from the normal ones, as `sockets=100 sessions=10`; the table below names them all.',
  shown: 'the normal ones',
  wrong: 'has a word that is not NAME=NUMBER, a name twice or one that is no limit, or a number out of its range',
  cure: `write it like "sockets=100 sessions=10"; the names are ${Object.keys(SETTABLE).join(', ')}`,
  schema: z
    .string()
    .default('')
    .transform((text, context) => {
      const limits = readLimits(text);
      if (limits) return limits;
      context.addIssue({ code: 'custom', message: 'not limits' });
      return z.NEVER;
    }),
};

export const TIMELINE_PICTURES_MB: Variable<number> = {
  name: 'TIMELINE_PICTURES_MB',
  about:
    'Megabytes on disk for the timeline pictures of each session; the oldest are deleted first, all of them with the session. 0 takes none.',
  shown: '32',
  wrong: 'is not a whole number from 0 to 4096',
  cure: 'give megabytes, for example 32, or 0 for no pictures',
  schema: z.string().default('32').pipe(wholeNumber(0, 4_096)),
};

export const SEARCH_URL: Variable<SearchEngines> = {
  name: 'SEARCH_URL',
  about:
    'Address that the search action opens, with %s for the words; or several with names, web=https://… wiki=https://…',
  shown: 'not set: search is off',
  wrong: 'is not an address with %s in it',
  cure: 'give something like https://search.example/?q=%s',
  schema: z
    .string()
    .optional()
    .transform((text, context) => {
      const engines = text === undefined ? new Map<string, string>() : readEngines(text);
      if (engines) return engines;
      context.addIssue({ code: 'custom', message: 'not an address' });
      return z.NEVER;
    }),
};

export const WEBHOOK_URL: Variable<URL | undefined> = {
  name: 'WEBHOOK_URL',
  about:
    'Address that gets a signed POST when an agent asks for a person and when that request ends; needs WEBHOOK_SECRET.',
  shown: 'none',
  wrong: 'is not an http or https address without a name and password in it',
  cure: 'write it in full, for example https://chat.example/hooks/wheelhouse',
  secret: true,
  schema: urlOf('http:', 'https:')
    .refine((url) => url.username === '' && url.password === '')
    .optional(),
};

export const WEBHOOK_SECRET: Variable<Secret | undefined> = {
  name: 'WEBHOOK_SECRET',
  about:
    'Signs each message to WEBHOOK_URL: `X-Wheelhouse-Signature` is `v1=` and the HMAC-SHA256, in hex, of `X-Wheelhouse-Timestamp`, a dot and the body.',
  shown: 'none',
  wrong: 'is missing, shorter than 24 characters, longer than 200, or has spaces in it',
  cure: 'use a long random one, for example the output of "openssl rand -hex 24", and set it where WEBHOOK_URL is set',
  secret: true,
  schema: z
    .string()
    .regex(/^[\x21-\x7e]{24,200}$/)
    .transform((text) => new Secret('WEBHOOK_SECRET', text))
    .optional(),
};

/** A mail server, with what it wants to know of its clients. */
export interface MailServer {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, instead of by STARTTLS. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: Secret | undefined;
}

export const SMTP_URL: Variable<MailServer | undefined> = {
  name: 'SMTP_URL',
  about:
    'The mail server that sends invitations and links to choose a new password; needs MAIL_FROM. Without it these links are there to copy.',
  shown: 'none',
  wrong: 'is not an smtp or smtps address without path',
  cure: 'write it like smtps://user:password@mail.example.com, with % codes for special characters',
  secret: true,
  schema: urlOf('smtp:', 'smtps:')
    .refine((url) => url.hostname !== '' && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '')
    .transform((url, context) => readMailServer(url) ?? refused(context))
    .optional(),
};

export const MAIL_FROM: Variable<string | undefined> = {
  name: 'MAIL_FROM',
  about: 'The address that mails come from, as `wheel@example.com` or `Wheelhouse <wheel@example.com>`.',
  shown: 'none',
  wrong: 'is not one mail address, with or without a name before it',
  cure: 'write it like Wheelhouse <wheel@example.com>',
  schema: z
    .string()
    .regex(/^[^<>"\p{C}]{0,100}<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s,;"]+@[^<>@\s,;"]+$/u)
    .optional(),
};

export const OIDC_ISSUER: Variable<string | undefined> = {
  name: 'OIDC_ISSUER',
  about:
    'Lets people sign in by OpenID Connect: the address of the provider, exactly as its discovery document writes it. Register `PUBLIC_URL/api/v1/sign-in/oidc/callback` there.',
  shown: 'none',
  wrong: 'is not an https address (http is for loopback only) without a query',
  cure: 'write it like https://login.example.com/realms/team',
  schema: z
    .string()
    .max(1_000)
    .refine((text) => {
      const url = parseUrl(text);
      const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
      return url !== undefined && safe && url.search === '' && url.hash === '' && url.username === '';
    })
    .optional(),
};

export const OIDC_CLIENT_ID: Variable<string | undefined> = {
  name: 'OIDC_CLIENT_ID',
  about: 'The name under which the provider knows this server.',
  shown: 'none',
  wrong: 'is longer than 500 characters',
  cure: 'copy it from the provider',
  schema: z.string().max(500).optional(),
};

export const OIDC_CLIENT_SECRET: Variable<Secret | undefined> = {
  name: 'OIDC_CLIENT_SECRET',
  about: 'What proves to the provider that it is this server.',
  shown: 'none',
  wrong: 'is longer than 1000 characters',
  cure: 'copy it from the provider',
  secret: true,
  schema: z
    .string()
    .max(1_000)
    .transform((text) => new Secret('OIDC_CLIENT_SECRET', text))
    .optional(),
};

export const OIDC_DOMAINS: Variable<readonly string[]> = {
  name: 'OIDC_DOMAINS',
  about:
    'Domains, separated by spaces: a person who signs in by the provider with a verified address in one of them gets an account with OIDC_ROLE. All others need an invitation.',
  shown: 'none',
  wrong: 'has a word that is not a domain name',
  cure: 'write it like "example.com example.org"',
  schema: z
    .string()
    .max(2_000)
    .default('')
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((word) => word !== ''),
    )
    .refine((words) => words.every((word) => /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(word))),
};

export const OIDC_ROLE: Variable<Role> = {
  name: 'OIDC_ROLE',
  about: 'The role of people who come by OIDC_DOMAINS: viewer, member or admin.',
  shown: 'member',
  wrong: 'is not a role that everybody of a domain may get',
  cure: 'use viewer, member or admin',
  schema: z
    .string()
    .default('member')
    .pipe(z.enum(['viewer', 'member', 'admin'])),
};

export const PASSWORD_SIGN_IN: Variable<boolean> = {
  name: 'PASSWORD_SIGN_IN',
  about: 'Whether people may sign in by password. Passkeys, OpenID Connect and `--link` always work.',
  shown: 'true',
  wrong: 'is neither true nor false',
  cure: 'use true or false',
  schema: z.string().default('true').pipe(flag),
};

export const NODE_ENV: Variable<'production' | 'development' | 'test'> = {
  name: 'NODE_ENV',
  about: 'production, development (hot reload) or test.',
  shown: 'production',
  wrong: 'is not a known mode',
  cure: 'use production, development or test',
  schema: z
    .string()
    .default('production')
    .pipe(z.enum(['production', 'development', 'test'])),
};

/** The whole table, in the order people read it. */
export const VARIABLES: readonly Omit<Variable<unknown>, 'schema'>[] = [
  PORT,
  HOST,
  DATA_DIR,
  WHEELHOUSE_API_KEY,
  CHROME_PATH,
  CHROME_ARGS,
  CHROME_CDP_URL,
  HEADLESS,
  CHROME_NO_SANDBOX,
  PUBLIC_URL,
  TLS_CERT,
  TLS_KEY,
  TRUSTED_HOPS,
  LOG_LEVEL,
  AGENT_IDLE_MS,
  SNAPSHOT_MEMORY_MB,
  TIMELINE_PICTURES_MB,
  LIMITS,
  SEARCH_URL,
  WEBHOOK_URL,
  WEBHOOK_SECRET,
  SMTP_URL,
  MAIL_FROM,
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  OIDC_DOMAINS,
  OIDC_ROLE,
  PASSWORD_SIGN_IN,
  NODE_ENV,
  DATABASE_URL,
  REDIS_URL,
];

/**
 * Splits a line into words as a shell would: single and double quotes keep spaces together. Undefined when a quote
 * stays open.
 */
function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const letter of line) {
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else word = (word ?? '') + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + letter;
    }
  }
  if (word !== undefined) words.push(word);
  return quote === undefined ? words : undefined;
}

/** Undefined when a % code of the name or password is none. */
function readMailServer({ protocol, hostname, port, username, password }: URL): MailServer | undefined {
  const secure = protocol === 'smtps:';
  try {
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      user: username === '' ? undefined : decodeURIComponent(username),
      password: password === '' ? undefined : new Secret('SMTP_URL', decodeURIComponent(password)),
    };
  } catch {
    return undefined;
  }
}

function refused(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: 'not such a value' });
  return z.NEVER;
}

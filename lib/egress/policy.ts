import { z } from 'zod';
import { parseUrl } from '@/lib/text/url';

/** Most sites of a list. */
export const MOST_SITES = 200;

/** Longest text of a site. */
export const MOST_SITE = 260;

/** A host of a list: itself, or with `below` all of its subdomains; any port unless one is given. */
interface Site {
  readonly host: string;
  readonly below: boolean;
  readonly port: number | undefined;
}

/** Parses `example.com`, `*.example.com`, `10.0.0.7:8080`, `[::1]:3000`; undefined for other text. */
function siteOf(text: string): Site | undefined {
  const [, below, name, port] = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s/?#@:*\\[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = name === undefined ? undefined : parseUrl(`http://${name}/`)?.hostname;
  if (host === undefined || host === '') return undefined;
  return {
    host: host.replace(/\.$/, ''),
    below: below !== undefined,
    port: port === undefined ? undefined : Number(port),
  };
}

/** Whether text is a site of a list. */
export function isSite(text: string): boolean {
  return text.length <= MOST_SITE && siteOf(text) !== undefined;
}

const siteSchema = z
  .string()
  .trim()
  .min(1)
  .max(MOST_SITE)
  .refine((text) => siteOf(text) !== undefined, {
    message: 'is no site: write example.com, *.example.com or example.com:8443',
  });

/**
 * Where the pages of a workspace or of a session may go (GU1): the `open` internet without private addresses, the
 * `listed` sites only, or with `local` all that the server allows, for development. It narrows what the server allows,
 * and a session narrows what its workspace allows.
 */
export const egressPolicySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('listed'), sites: z.array(siteSchema).min(1).max(MOST_SITES) }),
  z.strictObject({ kind: z.literal('local') }),
]);
export type EgressPolicy = z.infer<typeof egressPolicySchema>;

/** Whether `next` allows nothing that `now` does not; undefined allows all that the server allows. */
export function isWithin(next: EgressPolicy | undefined, now: EgressPolicy | undefined): boolean {
  if (now === undefined || now.kind === 'local') return true;
  // A list may name private addresses, which the open internet has not.
  if (now.kind === 'open' || next?.kind !== 'listed') return now.kind === next?.kind;
  return next.sites.every((text) => now.sites.some((known) => covers(siteOf(known), siteOf(text))));
}

function covers(known: Site | undefined, site: Site | undefined): boolean {
  if (!known || !site || (known.port !== undefined && known.port !== site.port)) return false;
  const same = known.host === site.host && known.below === site.below;
  return same || (known.below && site.host.endsWith(`.${known.host}`));
}

/** Whether a policy lists the host; one without a list lists every host. */
export function lists(policy: EgressPolicy, host: string, port: number): boolean {
  if (policy.kind !== 'listed') return true;
  const name = host.replace(/\.$/, '').toLowerCase();
  return policy.sites.some((text) => {
    const site = siteOf(text);
    if (!site || (site.port !== undefined && site.port !== port)) return false;
    return site.below ? name.endsWith(`.${site.host}`) : name === site.host;
  });
}

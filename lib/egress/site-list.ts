import { cleanText } from '@/lib/text/clean';
import { parseUrl } from '@/lib/text/url';
import { isSite, MOST_SITE } from './policy';

/** Why a line of a list of sites is no site. */
export type SiteFault = 'address' | 'star' | 'port' | 'long' | 'unreadable';

export interface BadSite {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly why: SiteFault;
  /** A site that was probably meant. */
  readonly cure: string | undefined;
}

export interface SiteList {
  /** Those that are good, each once. */
  readonly sites: readonly string[];
  readonly bad: readonly BadSite[];
}

/** Text longer than this is named by its beginning. */
const MOST_SHOWN = 80;

/**
 * Reads a list of sites as people type and paste it: one a line, or several with commas or spaces between them, with
 * comments behind `#`. The good ones are as the server takes them.
 */
export function readSites(text: string): SiteList {
  const sites = new Set<string>();
  const bad: BadSite[] = [];
  for (const [index, line] of text.split(/\r\n|[\n\r]/u).entries()) {
    for (const entry of entriesOf(line)) {
      if (isGood(entry)) sites.add(entry.toLowerCase());
      else bad.push({ line: index + 1, text: cleanText(entry, MOST_SHOWN), ...faultOf(entry) });
    }
  }
  return { sites: [...sites], bad };
}

/** The list with one entry of a line replaced, as its text. */
export function withCure(text: string, { line, cure }: BadSite): string {
  if (cure === undefined) return text;
  const lines = text.split(/\r\n|[\n\r]/u);
  const old = lines[line - 1] ?? '';
  const first = entriesOf(old).find((entry) => !isGood(entry) && faultOf(entry).cure === cure);
  if (first !== undefined) lines[line - 1] = old.replace(first, () => cure);
  return lines.join('\n');
}

function entriesOf(line: string): string[] {
  return line
    .replace(/(^|\s)#.*$/u, '')
    .split(/[\s,;]+/u)
    .map((entry) => entry.replace(/[\p{Cc}\p{Cf}]/gu, ''))
    .filter((entry) => entry !== '');
}

/** The server takes five digits of any value as a port. */
function isGood(entry: string): boolean {
  const port = /:(\d+)$/u.exec(entry)?.[1];
  return isSite(entry) && (port === undefined || (Number(port) > 0 && Number(port) <= MOST_PORT));
}

const MOST_PORT = 65_535;

function faultOf(entry: string): Pick<BadSite, 'why' | 'cure'> {
  if (entry.length > MOST_SITE) return { why: 'long', cure: undefined };
  if (/[/?@\\]/u.test(entry)) return { why: 'address', cure: hostIn(entry) };
  if (entry.includes('*'))
    return { why: 'star', cure: sitesOnly(`*.${entry.replace(/^.*\*/u, '').replace(/^\.+/u, '')}`) };
  const [, host, port] = /^(.+?):([^:]*)$/u.exec(entry) ?? [];
  if (host !== undefined && port !== undefined && /[.\]]|^localhost$/iu.test(host) && isSite(host))
    return { why: 'port', cure: host.toLowerCase() };
  return { why: 'unreadable', cure: undefined };
}

/** The host, with a port that is not the usual one, of an address with or without a scheme. */
function hostIn(entry: string): string | undefined {
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//iu.test(entry) ? entry : `https://${entry}`);
  return url && sitesOnly(url.host);
}

function sitesOnly(text: string): string | undefined {
  return isGood(text) ? text.toLowerCase() : undefined;
}

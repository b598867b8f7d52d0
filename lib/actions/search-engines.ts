import { WheelhouseError } from '@/lib/errors/error';

/** Name -> address with `%s` for the words; the first one is used unless another is named. */
export type SearchEngines = ReadonlyMap<string, string>;

/**
 * Reads `https://a.example/?q=%s`, or several, `web=https://… wiki=https://…`; undefined when one of them is not such
 * an address.
 */
export function readEngines(text: string): SearchEngines | undefined {
  const parts = text
    .trim()
    .split(/\s+/)
    .map((part) => /^(?:([A-Za-z][\w-]{0,39})=)?(https?:\/\/\S+)$/.exec(part));
  const engines = new Map(
    parts.flatMap((part) => (part?.[2]?.includes('%s') ? [[part[1] ?? 'default', part[2]] as const] : [])),
  );
  return engines.size === parts.length ? engines : undefined;
}

/** The address of a search. Throws UNSUPPORTED while no engine is set up, or when there is none of that name. */
export function searchUrl(engines: SearchEngines, query: string, engine: string | undefined): string {
  const [first] = engines.keys();
  if (first === undefined)
    throw new WheelhouseError('UNSUPPORTED', 'No search is set up on this server.', {
      hint: 'Its operator sets SEARCH_URL, for example https://search.example/?q=%s. Until then, navigate to a search page.',
    });
  const template = engines.get(engine ?? first);
  if (template === undefined)
    throw new WheelhouseError('UNSUPPORTED', `There is no search engine "${engine}".`, {
      hint: 'Use one of those in details, or leave "engine" out.',
      details: { engines: [...engines.keys()] },
    });
  return template.replaceAll('%s', () => encodeURIComponent(query.replaceAll(/\p{Cs}/gu, '')));
}

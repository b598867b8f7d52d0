/** A mention that somebody is typing: the place of its `@`, and what follows that up to the caret. */
export interface MentionDraft {
  readonly at: number;
  readonly query: string;
}

/** Longest name that is looked for. */
const MOST_NAME = 60;

/** The mention before the caret; undefined where none begins on its line. */
export function mentionBefore(text: string, caret: number): MentionDraft | undefined {
  const at = text.lastIndexOf('@', caret - 1);
  if (at === -1 || at >= caret || caret - at > MOST_NAME) return undefined;
  const query = text.slice(at + 1, caret);
  return query.includes('\n') || /[\w.-]$/u.test(text.slice(0, at)) ? undefined : { at, query };
}

/**
 * The first people, at most six, whose name or one of its words begins with the query. None once the query has a whole
 * name: the person has finished it.
 */
export function fitting<T extends { readonly name: string }>(people: readonly T[], query: string): T[] {
  const wanted = query.toLowerCase();
  if (people.some(({ name }) => name !== '' && `${wanted} `.startsWith(`${name.toLowerCase()} `))) return [];
  const fits = ({ name }: T) => {
    const lower = name.toLowerCase();
    return lower.startsWith(wanted) || lower.split(/[\s:/-]+/u).some((word) => word.startsWith(wanted));
  };
  return people.filter(fits).slice(0, 6);
}

/** The text with the name in place of the draft, and where the caret is then. */
export function withMention(
  text: string,
  { at, query }: MentionDraft,
  name: string,
): { readonly text: string; readonly caret: number } {
  const before = `${text.slice(0, at)}@${name} `;
  return { text: before + text.slice(at + 1 + query.length).replace(/^ /u, ''), caret: before.length };
}

/** A text in parts, in turn without and with a mention of one of these names: the second, fourth … are mentions. */
export function mentionParts(text: string, names: readonly string[]): string[] {
  const known = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  if (known.length === 0) return [text];
  const words = known.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)).join('|');
  return text.split(new RegExp(String.raw`(?<![\w.\-])(@(?:${words}))(?=\p{Script=Han}|[^\p{L}\p{N}]|$)`, 'iu'));
}

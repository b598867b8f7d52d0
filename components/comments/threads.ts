import type { CommentView } from '@/lib/comments/comment';

/** A comment and its answers, oldest first. */
export interface Thread {
  readonly first: CommentView;
  readonly answers: readonly CommentView[];
}

/** The threads of a session, as the panel shows them: in each group the newest first. */
export interface ThreadGroups {
  /** Open ones on the shown tab. */
  readonly here: readonly Thread[];
  /** Open ones on the shown tab whose page or frame was replaced. */
  readonly gone: readonly Thread[];
  /** Open ones on other tabs. */
  readonly elsewhere: readonly Thread[];
  /** Resolved ones, and those on closed tabs. */
  readonly past: readonly Thread[];
}

/** @param tab the tab that is shown */
export function groupsOf(comments: Iterable<CommentView>, tab: string | undefined): ThreadGroups {
  const threads = threadsOf(comments).toReversed();
  const open = threads.filter(({ first }) => first.open);
  const onTab = open.filter(({ first }) => first.tab === tab);
  return {
    here: onTab.filter(({ first }) => first.state !== 'gone'),
    gone: onTab.filter(({ first }) => first.state === 'gone'),
    elsewhere: open.filter(({ first }) => first.tab !== tab),
    past: threads.filter(({ first }) => !first.open),
  };
}

/** An answer to a comment that this page does not have begins a thread itself. */
function threadsOf(comments: Iterable<CommentView>): Thread[] {
  const all = [...comments].toSorted((a, b) => a.seq - b.seq);
  const ids = new Set(all.map(({ id }) => id));
  const isAnswer = ({ reply }: CommentView) => reply !== undefined && ids.has(reply);
  const answers = new Map<string, CommentView[]>();
  for (const one of all.filter(isAnswer)) {
    const before = answers.get(one.reply ?? '');
    if (before) before.push(one);
    else answers.set(one.reply ?? '', [one]);
  }
  return all.filter((one) => !isAnswer(one)).map((first) => ({ first, answers: answers.get(first.id) ?? [] }));
}

/** A picture with more marks than this shows the newest. */
const MOST_MARKS = 100;

/** Open comments with a place on the page of a tab, which get a mark on its picture. */
export function marksOf(comments: Iterable<CommentView>, tab: string): CommentView[] {
  return [...comments]
    .filter((one) => one.open && one.tab === tab && one.state !== 'gone' && one.anchor?.box && one.reply === undefined)
    .toSorted((a, b) => a.seq - b.seq)
    .slice(-MOST_MARKS);
}

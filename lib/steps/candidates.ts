/** Places in free text where a step may be (ST2). Text work only: the meaning of the words is decided elsewhere. */

export type StepRule = 'splitter' | 'fenced block' | 'inline code' | 'bare line';

export interface StepCandidate {
  readonly rule: StepRule;
  /** Text that begins with the step. */
  readonly text: string;
  /** The step is the whole text, over as many lines as it has; else it ends with the first line. */
  readonly whole: boolean;
  /** Its lines are tried too, so a mistake in the whole is not final. */
  readonly again?: boolean;
}

interface CodeFence {
  readonly inside: string;
  readonly start: number;
  readonly end: number;
}

/** The candidates, surest rule first; in text order within a rule. */
export function* candidatesIn(text: string): Generator<Iterable<StepCandidate>> {
  const fences = fencesIn(text);
  const outside = textBetween(text, fences);
  yield [{ rule: 'bare line', text: text.trim(), whole: true, again: true }];
  yield fences.flatMap(({ inside }) => [...inBlock(inside, 'fenced block')]);
  yield outside.flatMap((piece) => [...inlineCode(piece)]);
  yield outside.flatMap((piece) => [...lines(piece, 'bare line')]);
}

/** Only the text between a mark and the next one, or to the end where there is no second mark. */
export function* candidatesBetween(text: string, splitter: string): Generator<Iterable<StepCandidate>> {
  const pieces = text.split(splitter);
  yield pieces.flatMap((inside, at) => (at % 2 === 1 ? [...inBlock(inside, 'splitter')] : []));
}

/** Blocks between ``` or ~~~; one that is never closed runs to the end, since models are often stopped at the fence. */
function fencesIn(text: string): CodeFence[] {
  const fences: CodeFence[] = [];
  const marks = /`{3,}|(?<=^|\n)[ \t]{0,3}~{3,}/g;
  for (let open = marks.exec(text); open !== null; open = marks.exec(text)) {
    const start = open.index;
    const from = marks.lastIndex;
    const mark = open[0].trim();
    const close = closingMark(text, from, mark);
    fences.push({ inside: text.slice(from, close.start), start, end: close.end });
    marks.lastIndex = close.end;
  }
  return fences;
}

function closingMark(text: string, from: number, mark: string): { start: number; end: number } {
  const start = text.indexOf(mark, from);
  if (start < 0) return { start: text.length, end: text.length };
  let end = start + mark.length;
  while (text.charAt(end) === mark.charAt(0)) end += 1;
  return { start, end };
}

function textBetween(text: string, fences: readonly CodeFence[]): string[] {
  const starts = [0, ...fences.map(({ end }) => end)];
  const ends = [...fences.map(({ start }) => start), text.length];
  return starts.map((start, index) => text.slice(start, ends[index]));
}

/** The block as one step, without the word for its language, then each of its lines. */
function* inBlock(inside: string, rule: StepRule): Generator<StepCandidate> {
  const language = /^[^\S\n]*[\w+#.-]*[^\S\n]*\n(?=\s*\S)/.exec(inside)?.[0] ?? '';
  yield { rule, text: inside.slice(language.length).trim(), whole: true, again: true };
  yield* lines(inside, rule);
}

/** Text between one or two backticks and as many again, on one line or several. */
function* inlineCode(text: string): Generator<StepCandidate> {
  for (const match of text.matchAll(/(?<!`)(`{1,2})(?!`)([^`]+)\1(?!`)/g))
    yield { rule: 'inline code', text: (match[2] ?? '').trim(), whole: true };
}

/** Prefixes that a step may have on its line: a list mark, a number, "Action:", "操作：". */
const PREFIX =
  /[^\S\n]*(?:[-*>][^\S\n]+|\d{1,3}[.)][^\S\n]+)?(?:(?:(?:next[^\S\n]+)?(?:action|step)|(?:下一步)?(?:操作|动作|行动|步骤)|下一步)[^\S\n]*[:：][^\S\n]*)?/iy;

function* lines(text: string, rule: StepRule): Generator<StepCandidate> {
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    if (text.charAt(at) === '\n') continue;
    PREFIX.lastIndex = at;
    yield { rule, text: text.slice(at + (PREFIX.exec(text)?.[0].length ?? 0)), whole: false };
  }
}

function nextLine(text: string, at: number): number {
  const lineEnd = text.indexOf('\n', at);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}

/** Breaks comments that are wider than the page. The formatter leaves comments as they are written. */
import { parseSync } from 'oxc-parser';

export const WIDTH = 120;
/** A line that begins like this starts a paragraph of its own: a tag, a list item, a table row, a heading. */
const STARTS = /^(?:@|[-*+] |\d+[.)] |\||#|```)/;
const DIRECTIVE = /^\s*(?:eslint|oxlint|@ts-|@vitest|c8 |v8 |#|prettier|oxfmt)/;

function wrap(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line ? [...lines, line] : lines;
}

/** @returns {string[]} the paragraphs of a block comment; an indented line is one of its own */
function paragraphs(lines) {
  const found = [];
  let open = false;
  for (const line of lines) {
    const raw = line.trim() === '' || /^\s{2,}\S/.test(line);
    if (raw || !open || STARTS.test(line.trim())) found.push(raw ? line.trimEnd() : line.trim());
    else found[found.length - 1] += ` ${line.trim()}`;
    open = !raw;
  }
  return found;
}

function blockLines(value, indent) {
  const lines = value
    .replace(/^\*/, '')
    .split('\n')
    .map((line, at) => (at === 0 ? line.trim() : line.replace(/^\s*\*? ?/, '')));
  if (lines[0] === '') lines.shift();
  if (lines.at(-1)?.trim() === '') lines.pop();
  const room = WIDTH - indent.length - 3;
  return paragraphs(lines).flatMap((part) => (/^\s{2,}/.test(part) || part === '' ? [part] : wrap(part, room)));
}

const block = (value, indent) =>
  [
    `${indent}/*${value.startsWith('*') ? '*' : ''}`,
    ...blockLines(value, indent).map((line) => `${indent} *${line && ` ${line}`}`),
    `${indent} */`,
  ].join('\n');

const line = (value, indent) =>
  wrap(value, WIDTH - indent.length - 3)
    .map((one) => `${indent}// ${one}`)
    .join('\n');

function edge(source, comment) {
  const from = source.lastIndexOf('\n', comment.start - 1) + 1;
  const next = source.indexOf('\n', comment.end);
  return { from, to: next === -1 ? source.length : next };
}

/** @returns {{ from: number, to: number, text: string } | undefined} the replacement of a comment */
function change(source, comment) {
  const { from, to } = edge(source, comment);
  const lines = source.slice(from, to).split('\n');
  if (lines.every((one) => one.length <= WIDTH) || DIRECTIVE.test(comment.value)) return undefined;
  const before = source.slice(from, comment.start);
  const after = source.slice(comment.end, to);
  const indent = /^\s*/.exec(before)?.[0] ?? '';
  if (comment.type === 'Line') {
    const code = before.trim() === '' ? '' : `\n${before.trimEnd()}`;
    return { from, to, text: `${line(comment.value, indent)}${code}` };
  }
  if (before.trim() !== '' || !comment.value.startsWith('*')) return undefined;
  const widest = Math.max(
    ...source
      .slice(from, comment.end)
      .split('\n')
      .map((one) => one.length),
  );
  const text = widest <= WIDTH ? source.slice(from, comment.end) : block(comment.value, indent);
  return { from, to, text: after.trim() === '' ? text : `${text}\n${indent}${after.trim()}` };
}

/**
 * Wraps the comments of a file at 120 columns: documentation blocks and line comments. Moves a comment behind code
 * above it.
 * @param {string} file its name, which tells the language
 * @param {string} source
 * @returns {string}
 */
export function reflowed(file, source) {
  const { comments } = parseSync(file, source);
  let text = source;
  for (const comment of comments.toReversed()) {
    const found = change(source, comment);
    if (found) text = text.slice(0, found.from) + found.text + text.slice(found.to);
  }
  return text;
}

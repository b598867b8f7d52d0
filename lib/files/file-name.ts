import { cleanText } from '@/lib/text/clean';

/**
 * Names of a session's files (DI2, T13): one path segment on every system, without characters that make it look like
 * another name.
 */

/** Characters of a name. With four bytes each it stays below what file systems allow. */
const MOST = 60;
const FORBIDDEN = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/** The problem with a name that a caller gave, as the rest of a sentence; undefined when the name is allowed. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > MOST * 2 || [...name].length > MOST) return `is longer than ${MOST} characters`;
  if (FORBIDDEN.test(name)) return 'holds a character that a file name may not have';
  if (/^[.\s~-]|[.\s]$/.test(name)) return 'begins or ends with a sign that a file name may not';
  return DEVICE.test(name) || name.normalize('NFKC') !== name ? 'is no plain file name' : undefined;
}

/** An allowed name that is as close as possible to the one the page suggested. */
export function safeName(suggested: string): string {
  const last = cleanText(suggested.slice(0, 2_000), 1_000).normalize('NFKC').split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replaceAll(new RegExp(FORBIDDEN, 'gu'), '_')
    .replace(/^[.\s~-]+/, '')
    .replace(/[.\s]+$/, '');
  const short = shortened(plain);
  if (nameProblem(short) === undefined) return short;
  const marked = short === '' ? 'file' : shortened(`file_${short}`);
  return nameProblem(marked) === undefined ? marked : 'file';
}

/** The name itself, or `name (2).txt` and so on when it is taken. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  const { stem, ending } = parts(name);
  let free = name;
  for (let number = 2; taken(free); number += 1) {
    const mark = ` (${number})`;
    free = `${[...stem]
      .slice(0, MOST - [...ending].length - mark.length)
      .join('')
      .trimEnd()}${mark}${ending}`;
  }
  return free;
}

function shortened(name: string): string {
  const { stem, ending } = parts(name);
  return `${[...stem]
    .slice(0, MOST - [...ending].length)
    .join('')
    .trimEnd()}${ending}`;
}

function parts(name: string): { stem: string; ending: string } {
  const ending = /\.[^.\s]{1,12}$/u.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
}

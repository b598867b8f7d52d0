import type { Draft } from './draft';
import { isNamedByContent } from './roles';
import { clean, NAME_LIMIT, withoutSpaces } from './text';

/** Longer content is not used as a name. */
const SPOKEN_LIMIT = NAME_LIMIT * 2;

/**
 * More options than this of one native select are counted, not listed: its value is shown, and `select` takes any of
 * them.
 */
const MENU_LIMIT = 40;

/** Removes secrets from a text of the page (T14). */
export type RedactText = (text: string) => string;

/**
 * Second pass, from the last draft to the first, so that children are done before their parents: every text is printed
 * once.
 */
export function tidyTree(drafts: readonly Draft[], hide: RedactText = (text) => text): void {
  for (let index = drafts.length - 1; index >= 0; index -= 1) {
    const draft = drafts[index];
    if (draft) tidyNode(draft, hide);
  }
}

function tidyNode(draft: Draft, hide: RedactText): void {
  draft.hideIn(hide);
  draft.name = clean(draft.name);
  if (draft.isText) {
    draft.spoken = draft.name;
    return;
  }
  if (draft.value !== undefined && !draft.masked) draft.value = clean(draft.value) || undefined;
  draft.children = tidyChildren(draft);
  limitMenu(draft);
  const content = spokenBy(draft.children);
  if (draft.name === '') adoptContent(draft, content);
  else dropRepeated(draft, content);
  if (draft.masked) hideChoices(draft);
  draft.spoken = draft.name === '' ? content : draft.name;
}

/**
 * Removes empty texts, empty pictures, paragraphs, list items and figures, and labels that their control repeats. A
 * list item with one child only is replaced by it.
 */
function tidyChildren(draft: Draft): Draft[] {
  const kept: Draft[] = [];
  draft.children.forEach((child, at) => {
    if (child.isText && (child.name === '' || (child.label && isRepeatedNear(draft.children, at)))) return;
    const [only] = child.children;
    if (isSilent(child)) return;
    if (only && child.role === 'listitem' && child.name === '' && !child.interactive && child.children.length === 1)
      kept.push(only);
    else kept.push(child);
  });
  return kept;
}

function isSilent(child: Draft): boolean {
  if (child.interactive || child.name !== '' || child.children.length > 0) return false;
  return child.role === 'img' || child.role === 'paragraph' || child.role === 'listitem' || child.role === 'figure';
}

/** Whether a control at most two places away repeats the text of this label. */
function isRepeatedNear(siblings: readonly Draft[], at: number): boolean {
  const words = withoutSpaces(siblings[at]?.name ?? '');
  return [at - 2, at - 1, at + 1, at + 2].some((near) => {
    const control = siblings[near];
    return control?.interactive === true && withoutSpaces(control.name).includes(words);
  });
}

function spokenBy(children: readonly Draft[]): string {
  let content = '';
  for (const child of children) {
    if (child.spoken === '' || content.length > SPOKEN_LIMIT) continue;
    content = content === '' ? child.spoken : `${content} ${child.spoken}`;
  }
  return content;
}

const isQuiet = (child: Draft): boolean => child.isText || (child.role === 'img' && !child.interactive);

/**
 * Merges a single text into its parent's line: `- paragraph "text"`. An element without a name is named by its content.
 */
function adoptContent(draft: Draft, content: string): void {
  if (draft.leaf || draft.level < 0 || draft.children.length === 0) return;
  const [only] = draft.children;
  const single = draft.children.length === 1 && only?.isText === true;
  const named = draft.interactive || isNamedByContent(draft.role);
  if (single && only) draft.name = only.name;
  else if (named && draft.children.every(isQuiet)) draft.name = content;
  else if (named && draft.interactive && isNamedByContent(draft.role)) return nameAround(draft, content);
  else return;
  draft.children = [];
}

/**
 * A link around a heading and a price is named by all of its text; only elements that can be acted on stay below it.
 */
function nameAround(draft: Draft, content: string): void {
  draft.name = content;
  draft.children = actionable(draft.children);
}

function dropRepeated(draft: Draft, content: string): void {
  if (draft.children.length === 0) return;
  const name = withoutSpaces(draft.name);
  if (!draft.nameFromContent) {
    draft.children = draft.children.filter((child) => !isQuiet(child) || !name.includes(withoutSpaces(child.spoken)));
  } else if (draft.interactive) {
    draft.children = actionable(draft.children);
  } else if (draft.children.every(isQuiet)) {
    draft.children = [];
  } else if (withoutSpaces(content).includes(name) || name.includes(withoutSpaces(content))) {
    draft.saidBelow = true;
  }
}

/** The outermost interactive elements among these and their descendants. */
function actionable(children: readonly Draft[]): Draft[] {
  return children.flatMap((child) => (child.interactive ? [child] : actionable(child.children)));
}

function limitMenu(draft: Draft): void {
  const more = draft.children.length - MENU_LIMIT;
  if (more <= 0 || !draft.children.every((child) => child.isMenuOption)) return;
  draft.children = draft.children.slice(0, MENU_LIMIT);
  draft.states = [...draft.states, `+${more} options`];
}

/** Which option of a secret list is chosen is part of the secret. */
function hideChoices(draft: Draft): void {
  for (const child of draft.children) {
    child.states = child.states.filter((state) => state !== 'selected');
    child.hidesChoice = true;
    hideChoices(child);
  }
}

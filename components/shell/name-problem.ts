'use client';

import { useTranslations } from 'use-intl';
import { cleanText } from '@/lib/text/clean';

/** Longest name of a workspace, as the server accepts it. */
export const MOST_NAME = 120;

/** Why the server would refuse a name; undefined: it accepts it, without its invisible characters. */
export function nameProblem(text: string): 'empty' | 'long' | undefined {
  if (text.length > MOST_NAME * 2) return 'long';
  const { length } = cleanText(text.normalize('NFC'), MOST_NAME * 2);
  if (length === 0) return 'empty';
  return length > MOST_NAME ? 'long' : undefined;
}

/** Why the server would refuse a name, in the reader's language. */
export function useNameProblem(name: string): string | undefined {
  const t = useTranslations('settings.workspace.name');
  const problem = nameProblem(name);
  return problem && t(problem, { most: MOST_NAME, n: name.length });
}

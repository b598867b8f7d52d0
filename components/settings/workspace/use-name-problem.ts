'use client';

import { useTranslations } from 'use-intl';
import { MOST_NAME, nameProblem } from './name-problem';

/** Why the server would refuse a name, in the reader's language. */
export function useNameProblem(name: string): string | undefined {
  const t = useTranslations('settings.workspace.name');
  const problem = nameProblem(name);
  return problem && t(problem, { most: MOST_NAME, n: name.length });
}

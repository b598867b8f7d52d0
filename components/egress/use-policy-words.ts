'use client';

import { useTranslations } from 'use-intl';
import { readSites } from '@/lib/egress/site-list';
import type { PolicyDraft } from './policy-draft';

/** Sites that are named in a sentence. */
const FEW = 4;

/** A policy of a workspace in a few words. */
export function usePolicyWords(): (draft: PolicyDraft) => string {
  const t = useTranslations('egress');
  return ({ kind, text }) => {
    if (kind !== 'listed') return t(`kind.${kind === 'local' ? 'workspace' : kind}`);
    const { sites } = readSites(text);
    const few = sites.slice(0, FEW).join(', ');
    const more = sites.length - FEW;
    return t('words.listed', { sites: more > 0 ? t('words.more', { sites: few, n: more }) : few });
  };
}

'use client';

import { useTranslations } from 'use-intl';
import { MOST_SITES, type EgressPolicy } from '@/lib/egress/policy';
import { readSites } from '@/lib/egress/site-list';

/**
 * A policy of outgoing access as it is edited. `local` narrows nothing: it is also how a workspace or session without a
 * policy is shown.
 */
export interface PolicyDraft {
  readonly kind: EgressPolicy['kind'];
  /** The list of sites as typed; empty for the other kinds. */
  readonly text: string;
}

export function draftOf(policy: EgressPolicy | null): PolicyDraft {
  return { kind: policy?.kind ?? 'local', text: policy?.kind === 'listed' ? policy.sites.join('\n') : '' };
}

/** The policy that is meant; undefined while the list has none, too many or bad sites. */
export function policyOf({ kind, text }: PolicyDraft): EgressPolicy | undefined {
  if (kind !== 'listed') return { kind };
  const { sites, bad } = readSites(text);
  const good = bad.length === 0 && sites.length > 0 && sites.length <= MOST_SITES;
  return good ? { kind, sites: [...sites] } : undefined;
}

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

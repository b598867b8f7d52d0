'use client';

import { useTranslations } from 'use-intl';
import { ROLES } from '@/lib/rights/roles';
import { Section } from '../settings-frame';

/** What each role may, in a sentence each. */
export function RolesHelp() {
  const t = useTranslations('settings.people');
  return (
    <Section title={t('rolesTitle')}>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {ROLES.map((role) => (
          <div key={role}>
            <dt className="font-medium">{t(`role.${role}`)}</dt>
            <dd className="text-ink-2">{t(`roleHint.${role}`)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

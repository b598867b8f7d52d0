'use client';

import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountApi } from '@/components/session-client/account-api';
import { Button } from '@/components/ui/button';
import { ProblemNote } from '@/components/ui/problem-note';
import { asWheelhouseError } from '@/lib/errors/error';
import { ROLES } from '@/lib/rights/roles';
import { settingsApi } from '../api';
import { SettingsFrame } from '../settings-frame';
import { ListState, Section } from '@/components/ui/section';
import { useLoaded } from '@/components/use-loaded';
import { InviteDialog } from './invite-dialog';
import { InvitationRow } from './invitation-row';
import { MemberRow } from './member-row';

/** The members of the workspace with their roles, and the invitations that can still be used (AU2). */
export function PeoplePage() {
  const t = useTranslations('settings.people');
  const members = useLoaded(settingsApi.members);
  const invitations = useLoaded(settingsApi.invitations);
  const [inviting, setInviting] = useState(false);
  const you = useLoaded(accountApi.account).data?.id;
  const passwords = useLoaded(accountApi.methods).data?.password ?? true;
  const own = members.data?.find(({ id }) => id === you)?.role;
  const refused = members.error !== undefined && asWheelhouseError(members.error).code === 'FORBIDDEN';
  const reload = () => {
    members.reload();
    invitations.reload();
  };
  return (
    <SettingsFrame
      page="people"
      title={t('title')}
      lead={t('lead')}
      action={
        !refused && (
          <Button variant="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden />
            {t('invite')}
          </Button>
        )
      }
    >
      {refused ? (
        <ProblemNote title={t('refused')} thrown={members.error} />
      ) : (
        <>
          <Section title={t('members')} flush>
            {members.data ? (
              <ul className="divide-y divide-line">
                {members.data.map((member) => (
                  <MemberRow
                    key={member.id}
                    member={member}
                    you={you}
                    own={own}
                    passwords={passwords}
                    onChanged={reload}
                  />
                ))}
              </ul>
            ) : (
              <ListState loading error={members.error} failed={t('membersFailed')} />
            )}
          </Section>
          <Section title={t('invitations')} lead={t('invitationsLead')} flush>
            {invitations.data && invitations.data.length > 0 ? (
              <ul className="divide-y divide-line">
                {invitations.data.map((invitation) => (
                  <InvitationRow
                    key={invitation.id}
                    invitation={invitation}
                    by={members.data?.find(({ id }) => id === invitation.by)?.name}
                    own={own}
                    onChanged={invitations.reload}
                  />
                ))}
              </ul>
            ) : (
              <ListState
                loading={!invitations.data}
                error={invitations.error}
                failed={t('invitationsFailed')}
                empty={t('noInvitations')}
              />
            )}
          </Section>
          <RolesHelp />
        </>
      )}
      {inviting && <InviteDialog own={own} onMade={invitations.reload} onClose={() => setInviting(false)} />}
    </SettingsFrame>
  );
}

/** What each role may, in a sentence each. */
function RolesHelp() {
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

'use client';

import { Mail, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWhen } from '@/components/messages/use-when';
import { Chip } from '@/components/ui/chip';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';
import { mayAppoint, type Role } from '@/lib/rights/roles';
import { settingsApi, type InvitationView } from '../api';
import { Confirm } from '@/components/ui/confirm';
import { UntilChip } from '../until-chip';
import { RoleSelect } from './role-select';

export interface InvitationRowProps {
  invitation: InvitationView;
  /** The name of the person who made it. */
  by: string | undefined;
  /** The reader's role. */
  own: Role | undefined;
  onChanged: () => void;
}

/** An invitation that can still be used. */
export function InvitationRow({ invitation, by, own, onChanged }: InvitationRowProps) {
  const t = useTranslations('settings.people');
  const problem = useProblemToast();
  const task = useTask();
  const [ending, setEnding] = useState(false);
  const { id, email, role, mail } = invitation;
  const name = email ?? t('anybody');
  // Only owners change and end an invitation of an owner.
  const may = own === undefined || mayAppoint(own, role, role);
  const times = { ago: useWhen().ago(invitation.createdAt) };
  const change = (next: Role) =>
    void task.run(async () => {
      await settingsApi.changeInvitation(id, next).catch((error: unknown) => problem(t('roleFailed'), error));
      onChanged();
    });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <span aria-hidden className="grid size-8 place-items-center rounded-full bg-sel text-ink-3">
        <Mail className="size-4" />
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <bdi className="truncate font-medium">{name}</bdi>
          <UntilChip until={invitation.expiresAt} />
          {mail !== 'none' && (
            <Chip size="sm" tone={mail === 'failed' ? 'danger' : 'neutral'}>
              {t(`mail.${mail}`)}
            </Chip>
          )}
        </p>
        <p className="truncate text-xs text-ink-2">
          <bdi>{by === undefined ? t('made', times) : t('madeBy', { ...times, by })}</bdi>
        </p>
        {mail === 'failed' && <p className="text-xs text-stuck">{t('mailFailedCure')}</p>}
      </div>
      <div className="flex items-center justify-between gap-2 max-sm:w-full max-sm:pl-11">
        {may ? (
          <>
            <RoleSelect
              label={t('roleOf', { name })}
              labelled="inside"
              role={role}
              own={own}
              className="w-32"
              onChange={change}
            />
            <IconButton size="icon-sm" label={t('endInvitation', { name })} onClick={() => setEnding(true)}>
              <X aria-hidden />
            </IconButton>
          </>
        ) : (
          <span className="text-ink-2 sm:w-32 sm:px-2.5">{t(`role.${role}`)}</span>
        )}
      </div>
      {ending && (
        <Confirm
          title={t('endTitle', { name })}
          lead={t('endLead')}
          action={t('endDo')}
          failed={t('endFailed')}
          work={() => settingsApi.endInvitation(id)}
          onDone={() => {
            toast.success(t('ended'));
            onChanged();
          }}
          onClose={() => setEnding(false)}
        />
      )}
    </li>
  );
}

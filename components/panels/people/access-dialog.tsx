'use client';

import { KeyRound, UserRound, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Check, Radios } from '@/components/ui/check';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { ProblemNote } from '@/components/ui/problem-note';
import { Select } from '@/components/ui/select';
import { useTask } from '@/components/ui/use-task';
import { SESSION_ROLES, type SessionRole } from '@/lib/rights/roles';
import { accessApi, type AccessChange, type AccessView } from './access-api';

export interface AccessDialogProps {
  session: string;
  access: AccessView;
  onChanged: () => void;
  onClose: () => void;
}

/** Who may enter a session and what as. Each change holds at once. */
export function AccessDialog({ session, access, onChanged, onClose }: AccessDialogProps) {
  const t = useTranslations('cockpit.access');
  const common = useTranslations('common');
  const task = useTask();
  const change = (wanted: AccessChange) => void task.run(() => accessApi.change(session, wanted), onChanged);
  const choices = (['workspace', 'named'] as const).map((value) => ({
    value,
    label: t(`open.${value}`),
    hint: t(`openHint.${value}`),
  }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('title')}
      description={t('lead')}
      className="sm:w-[min(94vw,520px)]"
      footer={
        <Button variant="primary" onClick={onClose}>
          {common('close')}
        </Button>
      }
    >
      <div aria-busy={task.busy} className="flex flex-col gap-5">
        <Radios
          legend={t('openLegend')}
          choices={choices}
          value={access.open}
          disabled={task.busy}
          onChange={(open) => change({ open })}
        />
        <Check
          label={t('watchOnly')}
          hint={t('watchOnlyHint')}
          checked={access.watchOnly}
          disabled={task.busy || access.open === 'named'}
          onChange={(watchOnly) => change({ watchOnly })}
        />
        <RoleList access={access} onChange={change} />
        {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
      </div>
    </Dialog>
  );
}

function RoleList({ access, onChange }: { access: AccessView; onChange: (change: AccessChange) => void }) {
  const t = useTranslations('cockpit.access');
  return (
    <section aria-label={t('roles')}>
      <h3 className="font-medium">{t('roles')}</h3>
      <p className="mt-0.5 text-xs text-ink-3">{t('rolesHint')}</p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {access.owner && (
          <li className="flex min-h-8 items-center gap-2.5">
            <UserRound aria-hidden className="size-4 shrink-0 text-ink-3" />
            <bdi className="min-w-0 flex-1 truncate">{access.owner.name}</bdi>
            <span className="text-ink-2">{t('owner')}</span>
          </li>
        )}
        {access.roles.map(({ who, name, kind, role }) => {
          const Icon = kind === 'key' ? KeyRound : UserRound;
          return (
            <li key={who} className="flex items-center gap-2.5">
              <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
              <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
              <SessionRoleSelect
                label={t('roleOf', { name })}
                role={role}
                onChange={(next) => onChange({ roles: { [who]: next } })}
              />
              <IconButton
                size="icon-sm"
                label={t('remove', { name })}
                onClick={() => onChange({ roles: { [who]: null } })}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <AddRole access={access} onChange={onChange} />
    </section>
  );
}

function SessionRoleSelect({
  label,
  role,
  onChange,
}: {
  label: string;
  role: SessionRole;
  onChange: (role: SessionRole) => void;
}) {
  const t = useTranslations('cockpit.access');
  return (
    <Select
      label={label}
      labelled="inside"
      value={role}
      className="w-32 shrink-0"
      options={SESSION_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      onValueChange={onChange}
    />
  );
}

function AddRole({ access, onChange }: { access: AccessView; onChange: (change: AccessChange) => void }) {
  const t = useTranslations('cockpit.access');
  const [role, setRole] = useState<SessionRole>('peer');
  const [chosen, setChosen] = useState<string>();
  const taken = new Set([...access.roles.map(({ who }) => who), ...(access.owner ? [access.owner.id] : [])]);
  const candidates = (access.candidates ?? []).filter(({ id }) => !taken.has(id));
  const first = candidates.find(({ id }) => id === chosen) ?? candidates[0];
  if (!first) return null;
  return (
    <div className="mt-3 flex items-center gap-2 border-t border-line pt-3">
      <Select
        label={t('who')}
        labelled="inside"
        value={first.id}
        className="min-w-0 flex-1"
        options={candidates.map(({ id, name, kind }) => ({
          value: id,
          label: <bdi>{kind === 'key' ? t('keyNamed', { name }) : name}</bdi>,
        }))}
        onValueChange={setChosen}
      />
      <SessionRoleSelect label={t('newRole')} role={role} onChange={setRole} />
      <Button onClick={() => onChange({ roles: { [first.id]: role } })}>{t('add')}</Button>
    </div>
  );
}

'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { Select } from '@/components/ui/select';
import { useTask } from '@/components/ui/use-task';
import type { Role } from '@/lib/rights/roles';
import { settingsApi, type NewInvitation } from '../api';
import { LIFETIMES } from '../lifetimes';
import { SecretOnce } from '../secret-once';
import { RoleSelect } from './role-select';

const LIVES = ['week', 'day', 'month'] as const;
type Life = (typeof LIVES)[number];

/** Invites a person: role, address and lifetime; then the link, shown once. Mounted only while open. */
export function InviteDialog({
  own,
  onMade,
  onClose,
}: {
  own: Role | undefined;
  onMade: () => void;
  onClose: () => void;
}) {
  const t = useTranslations('settings.people.inviteDialog');
  const [role, setRole] = useState<Role>('member');
  const [email, setEmail] = useState('');
  const [life, setLife] = useState<Life>('week');
  const [made, setMade] = useState<NewInvitation>();
  const task = useTask();
  const invite = () =>
    void task.run(
      () => {
        const address = email.trim();
        return settingsApi.invite({
          ...{ role, expiresIn: LIFETIMES[life] },
          ...(address !== '' && { email: address }),
        });
      },
      (invitation) => {
        setMade(invitation);
        onMade();
      },
    );
  if (made) return <MadeInvitation made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={t('title')}
      description={t('lead')}
      word={t('make')}
      busy={task.busy}
      onSubmit={invite}
      onClose={onClose}
    >
      <Field
        autoFocus
        label={t('email')}
        hint={t('emailHint')}
        type="email"
        inputMode="email"
        value={email}
        maxLength={254}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="grid grid-cols-2 gap-3">
        <RoleSelect label={t('role')} role={role} own={own} onChange={setRole} />
        <LifeSelect life={life} onChange={setLife} />
      </div>
      <RoleHint role={role} />
      {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
    </FormDialog>
  );
}

function RoleHint({ role }: { role: Role }) {
  const t = useTranslations('settings.people');
  return <p className="-mt-1 text-xs text-ink-3">{t(`roleHint.${role}`)}</p>;
}

function LifeSelect({ life, onChange }: { life: Life; onChange: (life: Life) => void }) {
  const t = useTranslations('settings');
  return (
    <Select
      label={t('people.inviteDialog.life')}
      value={life}
      options={LIVES.map((value) => ({ value, label: t(`life.${value}`) }))}
      onValueChange={onChange}
    />
  );
}

function MadeInvitation({ made, onClose }: { made: NewInvitation; onClose: () => void }) {
  const t = useTranslations('settings.people.inviteDialog');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('madeTitle')}
      description={t(made.email !== null && made.mail !== 'none' ? 'madeMailed' : 'madeLead')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <SecretOnce kind="link" secret={made.url}>
        {t(made.email === null ? 'once' : 'onceFor')}
      </SecretOnce>
    </Dialog>
  );
}

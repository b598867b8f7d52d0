'use client';

import { KeyRound, MoreHorizontal, ShieldOff, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Dialog } from '@/components/ui/dialog';
import { FormDialog } from '@/components/ui/form-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { colourOf } from '@/components/ui/initials';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { ProblemNote } from '@/components/ui/problem-note';
import { toast } from '@/components/ui/toast';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';
import type { Role } from '@/lib/rights/roles';
import { settingsApi, type MemberView } from '../api';
import { Confirm } from '@/components/ui/confirm';
import { SecretOnce } from '../secret-once';
import { RoleSelect } from './role-select';

export interface MemberRowProps {
  member: MemberView;
  /** The reader's id and role. */
  you: string | undefined;
  own: Role | undefined;
  /** Whether people can sign in by password here. */
  passwords: boolean;
  onChanged: () => void;
}

/** A member: name, address, role to change, and what admins do for them. */
export function MemberRow({ member, you, own, passwords, onChanged }: MemberRowProps) {
  const t = useTranslations('settings.people');
  const common = useTranslations('common');
  const [open, setOpen] = useState<'password' | 'factor' | 'remove'>();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <Avatar person={{ id: member.id, name: member.name, colour: colourOf(member.id) }} size={32} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <bdi className="truncate font-medium">{member.name}</bdi>
          {member.id === you && <Chip size="sm">{common('you')}</Chip>}
          {member.serverOwner && (
            <Chip size="sm" title={t('serverOwnerHint')}>
              {t('serverOwner')}
            </Chip>
          )}
        </p>
        <p className="truncate text-xs text-ink-2">
          <bdi>{member.email ?? t('noEmail')}</bdi>
        </p>
      </div>
      <div className="flex items-center justify-between gap-2 max-sm:w-full max-sm:pl-11">
        <MemberRole member={member} own={own} onChanged={onChanged} />
        <MemberMenu member={member} passwords={passwords} onOpen={setOpen} />
      </div>
      {open === 'password' && <PasswordLink member={member} onClose={() => setOpen(undefined)} />}
      {(open === 'factor' || open === 'remove') && (
        <MemberConfirm what={open} member={member} onDone={onChanged} onClose={() => setOpen(undefined)} />
      )}
    </li>
  );
}

function MemberRole({ member, own, onChanged }: { member: MemberView; own: Role | undefined; onChanged: () => void }) {
  const t = useTranslations('settings.people');
  const problem = useProblemToast();
  const task = useTask();
  const change = (role: Role) =>
    void task.run(async () => {
      try {
        await settingsApi.setRole(member.id, role, member.role);
        toast.success(t('roleChanged', { name: member.name, role: t(`role.${role}`) }));
      } catch (error) {
        problem(t('roleFailed'), error);
      }
      onChanged();
    });
  if (!member.may.includes('role'))
    return <span className="text-ink-2 sm:w-32 sm:px-2.5">{t(`role.${member.role}`)}</span>;
  return (
    <RoleSelect
      label={t('roleOf', { name: member.name })}
      labelled="inside"
      role={member.role}
      own={own}
      className="w-32"
      onChange={change}
    />
  );
}

function MemberMenu({
  member,
  passwords,
  onOpen,
}: {
  member: MemberView;
  passwords: boolean;
  onOpen: (what: 'password' | 'factor' | 'remove') => void;
}) {
  const t = useTranslations('settings.people');
  const may = (deed: string) => member.may.includes(deed) && (deed !== 'password' || passwords);
  const account = may('password') || may('secondFactor');
  if (!account && !may('remove')) return <span className="size-7 pointer-coarse:size-9" />;
  return (
    <Menu>
      <MenuTrigger>
        <IconButton size="icon-sm" label={t('actions', { name: member.name })}>
          <MoreHorizontal aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        {may('password') && (
          <MenuItem onSelect={() => onOpen('password')}>
            <KeyRound aria-hidden />
            {t('passwordLink')}
          </MenuItem>
        )}
        {may('secondFactor') && (
          <MenuItem onSelect={() => onOpen('factor')}>
            <ShieldOff aria-hidden />
            {t('resetFactor')}
          </MenuItem>
        )}
        {may('remove') && (
          <>
            {account && <MenuSeparator />}
            <MenuItem danger onSelect={() => onOpen('remove')}>
              <UserMinus aria-hidden />
              {t('remove')}
            </MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  );
}

function MemberConfirm({
  what,
  member: { id, name },
  onDone,
  onClose,
}: {
  what: 'factor' | 'remove';
  member: MemberView;
  onDone: () => void;
  onClose: () => void;
}) {
  const t = useTranslations(`settings.people.${what === 'factor' ? 'factorDialog' : 'removeDialog'}`);
  return (
    <Confirm
      title={t('title', { name })}
      lead={t('lead')}
      action={t('action')}
      failed={t('failed')}
      work={() => (what === 'factor' ? settingsApi.resetSecondFactor(id) : settingsApi.removeMember(id))}
      onDone={() => {
        toast.success(t('done', { name }));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** Makes a link with which a member sets a new password, after asking, and shows it once. */
function PasswordLink({ member: { id, name }, onClose }: { member: MemberView; onClose: () => void }) {
  const t = useTranslations('settings.people.passwordDialog');
  const common = useTranslations('common');
  const task = useTask();
  const [made, setMade] = useState<{ url: string; mail: string }>();
  if (made)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={<bdi>{t('title', { name })}</bdi>}
        footer={
          <Button variant="primary" onClick={onClose}>
            {common('close')}
          </Button>
        }
      >
        <SecretOnce kind="link" secret={made.url}>
          {t(made.mail === 'sending' ? 'mailed' : 'once')}
        </SecretOnce>
      </Dialog>
    );
  return (
    <FormDialog
      title={<bdi>{t('title', { name })}</bdi>}
      description={t('lead')}
      word={t('action')}
      busy={task.busy}
      onSubmit={() => void task.run(() => settingsApi.passwordLink(id), setMade)}
      onClose={onClose}
    >
      {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
    </FormDialog>
  );
}

'use client';

import { MoreHorizontal, Pencil, Plus, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useWhen } from '@/components/messages/use-when';
import { useSessions, useYou } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { toast } from '@/components/ui/toast';
import { settingsApi, type KeyView } from '../api';
import { Confirm } from '@/components/ui/confirm';
import { SettingsFrame } from '../settings-frame';
import { ListState, Section } from '@/components/ui/section';
import { UntilChip } from '../until-chip';
import { useLoaded } from '@/components/use-loaded';
import { grantKey } from './grant-key';
import { KeyDialog, RotateDialog } from './key-dialog';
import { mayRotate } from './key-limits';
import { asWheelhouseError } from '@/lib/errors/error';

type Open =
  | { readonly what: 'new' }
  | { readonly what: 'change' | 'rotate' | 'revoke'; readonly key: KeyView }
  | undefined;

/** The keys of agents and programs: what each may, when and from where it was used last, and what ends it (AU2). */
export function KeysPage() {
  const t = useTranslations('settings.keys');
  const keys = useLoaded(settingsApi.keys);
  const [open, setOpen] = useState<Open>();
  const refused = keys.error !== undefined && asWheelhouseError(keys.error).code === 'FORBIDDEN';
  const rows = keys.data?.toSorted((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''));
  return (
    <SettingsFrame
      page="keys"
      title={t('title')}
      lead={t('lead')}
      action={
        !refused && (
          <Button variant="primary" onClick={() => setOpen({ what: 'new' })}>
            <Plus aria-hidden />
            {t('new')}
          </Button>
        )
      }
    >
      <Section title={t('list')} lead={t('listLead')} flush>
        {rows && rows.length > 0 ? (
          <ul className="divide-y divide-line">
            {rows.map((key) => (
              <KeyRow key={key.id} view={key} onOpen={(what) => setOpen({ what, key })} />
            ))}
          </ul>
        ) : (
          <ListState loading={!rows} error={keys.error} failed={t(refused ? 'refused' : 'failed')} empty={t('none')} />
        )}
      </Section>
      <KeyDialogs open={open} onChanged={keys.reload} onClose={() => setOpen(undefined)} />
    </SettingsFrame>
  );
}

function KeyDialogs({ open, onChanged, onClose }: { open: Open; onChanged: () => void; onClose: () => void }) {
  const t = useTranslations('settings.keys');
  if (!open) return null;
  if (open.what === 'new') return <KeyDialog onChanged={onChanged} onClose={onClose} />;
  const { key } = open;
  if (open.what === 'change') return <KeyDialog old={key} onChanged={onChanged} onClose={onClose} />;
  if (open.what === 'rotate') return <RotateDialog of={key} onChanged={onChanged} onClose={onClose} />;
  return (
    <Confirm
      title={t('revokeTitle', { name: key.name })}
      lead={t('revokeLead')}
      action={t('revoke')}
      failed={t('revokeFailed')}
      work={() => settingsApi.revokeKey(key.id)}
      onDone={() => {
        toast.success(t('revoked', { name: key.name }));
        onChanged();
      }}
      onClose={onClose}
    />
  );
}

function KeyRow({ view, onOpen }: { view: KeyView; onOpen: (what: 'change' | 'rotate' | 'revoke') => void }) {
  const t = useTranslations('settings.keys');
  const format = useFormatter();
  const whole = view.grants.includes('clipboard');
  const grants = view.grants.filter((grant) => !(whole && grant.startsWith('clipboard:')));
  const may = format.list(grants.map((grant) => t(`grant.${grantKey(grant)}`)));
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-1 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="truncate font-medium">{view.name}</bdi>
            {view.hint !== '' && <code className="font-mono text-2xs text-ink-3">…{view.hint}</code>}
            {view.preset && <Chip size="sm">{t('preset')}</Chip>}
            <UntilChip until={view.expiresAt} />
          </p>
          <p className="mt-0.5 text-xs text-ink-2">{t('may', { grants: may })}</p>
        </div>
        <div className="min-w-0 text-xs text-ink-2">
          <Sessions sessions={view.sessions} />
          <p className="mt-0.5 text-ink-3">
            <LastUse view={view} />
          </p>
        </div>
      </div>
      {view.preset ? <span className="size-7 pointer-coarse:size-9" /> : <KeyMenu view={view} onOpen={onOpen} />}
    </li>
  );
}

function Sessions({ sessions }: { sessions: KeyView['sessions'] }) {
  const t = useTranslations('settings.keys');
  const all = useSessions();
  const format = useFormatter();
  if (typeof sessions === 'string') return <p>{t(`sees.${sessions}`)}</p>;
  const names = sessions.map((id) => all?.find((one) => one.id === id)?.name ?? id);
  return (
    <p className="truncate" title={format.list(names)}>
      <bdi>{t('sees.named', { names: format.list(names) })}</bdi>
    </p>
  );
}

function LastUse({ view: { lastUsedAt, lastUsedFrom } }: { view: KeyView }) {
  const t = useTranslations('settings.keys');
  const { ago } = useWhen();
  if (lastUsedAt === null) return t('unused');
  const times = { ago: ago(lastUsedAt) };
  return lastUsedFrom === null ? t('used', times) : t('usedFrom', { ...times, from: lastUsedFrom });
}

function KeyMenu({ view, onOpen }: { view: KeyView; onOpen: (what: 'change' | 'rotate' | 'revoke') => void }) {
  const t = useTranslations('settings.keys');
  const you = useYou()?.id;
  return (
    <Menu>
      <MenuTrigger>
        <IconButton size="icon-sm" label={t('actions', { name: view.name })}>
          <MoreHorizontal aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => onOpen('change')}>
          <Pencil aria-hidden />
          {t('change')}
        </MenuItem>
        {mayRotate(view, you) && (
          <MenuItem onSelect={() => onOpen('rotate')}>
            <RotateCw aria-hidden />
            {t('rotate')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={() => onOpen('revoke')}>
          <Trash2 aria-hidden />
          {t('revokeMenu')}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

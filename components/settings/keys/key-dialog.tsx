'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessions, useYou } from '@/components/session-client/use-session-client';
import { Button } from '@/components/ui/button';
import { Check, Radios } from '@/components/ui/check';
import { Dialog } from '@/components/ui/dialog';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { Select } from '@/components/ui/select';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import type { Grant } from '@/lib/rights/grants';
import { settingsApi, type KeyRequest, type KeySessions, type KeyView } from '../api';
import { LIFETIMES, type Lifetime } from '../lifetimes';
import { SecretOnce } from '../secret-once';
import { grantKey } from './grant-key';
import { limitsOf, type KeyLimits } from './key-limits';

/** The grants of a key in the order of what they risk. `clipboard:copy` and `clipboard:paste` are parts of one. */
const CHOICES = ['watch', 'drive', 'evaluate', 'files', 'clipboard', 'share', 'keys', 'manage'] as const;
const USUAL: readonly Grant[] = ['watch', 'drive', 'evaluate'];

type Scope = 'own' | 'workspace' | 'named';
type Life = Lifetime | 'never' | 'same';

interface Draft {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly scope: Scope;
  readonly named: readonly string[];
  readonly life: Life;
}

function draftOf(old: KeyView | undefined): Draft {
  if (!old) return { name: '', grants: USUAL, scope: 'own', named: [], life: 'never' };
  const named = typeof old.sessions === 'string' ? [] : old.sessions;
  return {
    ...{ name: old.name, grants: old.grants, named, life: 'same' },
    scope: typeof old.sessions === 'string' ? old.sessions : 'named',
  };
}

function requestOf({ name, grants, scope, named, life }: Draft): KeyRequest {
  const sessions: KeySessions = scope === 'named' ? [...named] : scope;
  const request = { name: name.trim(), grants, sessions };
  if (life === 'same') return request;
  return { ...request, expiresIn: life === 'never' ? null : LIFETIMES[life] };
}

export interface KeyDialogProps {
  /** The key to change; without it a key is made. */
  old?: KeyView;
  onChanged: () => void;
  onClose: () => void;
}

/** Makes a key and shows it once, or changes one. Mounted only while open: closing forgets the text. */
export function KeyDialog({ old, onChanged, onClose }: KeyDialogProps) {
  const t = useTranslations('settings.keys');
  const [draft, setDraft] = useState(() => draftOf(old));
  const [made, setMade] = useState<string>();
  const task = useTask();
  const you = useYou()?.id;
  const [now] = useState(Date.now);
  const limits = limitsOf(old, you, now);
  const foreign = old !== undefined && old.person !== you;
  const set = (part: Partial<Draft>) => setDraft((was) => ({ ...was, ...part }));
  const usable =
    draft.name.trim() !== '' && draft.grants.length > 0 && (draft.scope !== 'named' || draft.named.length > 0);
  const save = () =>
    void task.run(
      async () => {
        if (!old) return (await settingsApi.makeKey(requestOf(draft))).key;
        await settingsApi.changeKey(old.id, requestOf(draft));
        return undefined;
      },
      (text) => {
        onChanged();
        if (text !== undefined) return setMade(text);
        toast.success(t('changed', { name: draft.name }));
        onClose();
      },
    );
  if (made !== undefined) return <MadeKey name={draft.name} text={made} onClose={onClose} />;
  return (
    <FormDialog
      title={<bdi>{old ? t('changeTitle', { name: old.name }) : t('newTitle')}</bdi>}
      description={foreign ? t('changeForeign') : old ? t('changeLead') : t('newLead')}
      className="sm:w-[min(94vw,560px)]"

      word={t(old ? 'save' : 'make')}
      busy={task.busy}
      usable={usable}

      formClass="gap-5"
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        autoFocus
        label={t('name')}
        placeholder={t('namePlaceholder')}
        value={draft.name}
        maxLength={60}
        onChange={(event) => set({ name: event.target.value })}
      />
      <GrantChoice grants={draft.grants} limits={limits} onChange={(grants) => set({ grants })} />
      <SessionChoice draft={draft} limits={limits} onChange={set} />
      <LifeChoice old={old} life={draft.life} limits={limits} onChange={(life) => set({ life })} />
      {task.error !== undefined && <ProblemNote title={t(old ? 'changeFailed' : 'makeFailed')} thrown={task.error} />}
    </FormDialog>
  );
}

function GrantChoice({
  grants,
  limits,
  onChange,
}: {
  grants: readonly Grant[];
  limits: KeyLimits;
  onChange: (grants: readonly Grant[]) => void;
}) {
  const t = useTranslations('settings.keys');
  const mine = useYou()?.grants;
  const toggle = (grant: Grant, on: boolean) =>
    onChange(on ? [...grants, grant] : grants.filter((one) => one !== grant && !one.startsWith(`${grant}:`)));
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{t('grants')}</legend>
      <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
        {CHOICES.map((grant) => {
          const lacked = mine !== undefined && !mine.includes(grant) && !mine.includes('manage');
          const beyond = lacked || !limits.grant(grant);
          return (
            <Check
              key={grant}
              label={t(`choice.${grantKey(grant)}`)}
              hint={beyond ? t(lacked ? 'beyond' : 'beyondKey') : t(`choiceHint.${grantKey(grant)}`)}
              checked={grants.includes(grant)}
              disabled={beyond && !grants.includes(grant)}
              onChange={(on) => toggle(grant, on)}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function SessionChoice({
  draft,
  limits,
  onChange,
}: {
  draft: Draft;
  limits: KeyLimits;
  onChange: (part: Partial<Draft>) => void;
}) {
  const t = useTranslations('settings.keys');
  const named = <NamedSessions named={draft.named} limits={limits} onChange={(ids) => onChange({ named: ids })} />;
  const scopes = (['own', 'named', 'workspace'] as const).filter(limits.scope);
  const choices = scopes.map((value) => ({
    value,
    label: t(`scope.${value}`),
    hint: t(`scopeHint.${value}`),
    more: value === 'named' && named,
  }));
  return (
    <Radios legend={t('scopeLegend')} choices={choices} value={draft.scope} onChange={(scope) => onChange({ scope })} />
  );
}

function NamedSessions({
  named,
  limits,
  onChange,
}: {
  named: readonly string[];
  limits: KeyLimits;
  onChange: (ids: readonly string[]) => void;
}) {
  const t = useTranslations('settings.keys');
  const sessions = (useSessions() ?? []).filter(({ id }) => limits.session(id));
  return (
    <div
      role="group"
      aria-label={t('scope.named')}
      className="mt-2 flex max-h-44 flex-col gap-2 overflow-y-auto rounded-md border border-line bg-bg p-3"
    >
      {sessions.length === 0 && <p className="text-ink-3">{t('noSessions')}</p>}
      {sessions.map(({ id, name }) => (
        <Check
          key={id}
          label={<bdi>{name}</bdi>}
          checked={named.includes(id)}
          onChange={(on) => onChange(on ? [...named, id] : named.filter((one) => one !== id))}
        />
      ))}
    </div>
  );
}

function LifeChoice({
  old,
  life,
  limits,
  onChange,
}: {
  old: KeyView | undefined;
  life: Life;
  limits: KeyLimits;
  onChange: (life: Life) => void;
}) {
  const t = useTranslations('settings');
  const lives: Life[] = [...(old ? (['same'] as const) : []), 'never', 'day', 'week', 'month', 'quarter', 'year'];
  const offered = lives.filter(limits.life);
  return (
    <Select
      label={t('keys.life')}
      value={life}
      className="sm:w-1/2"
      options={offered.map((value) => ({
        value,
        label: value === 'never' || value === 'same' ? t(`keys.lifeOf.${value}`) : t(`life.${value}`),
      }))}
      onValueChange={onChange}
    />
  );
}

function MadeKey({ name, text, onClose }: { name: string; text: string; onClose: () => void }) {
  const t = useTranslations('settings.keys');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={<bdi>{t('madeTitle', { name })}</bdi>}
      className="sm:w-[min(94vw,560px)]"
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('madeDone')}
        </Button>
      }
    >
      <SecretOnce kind="key" secret={text}>
        {t('once')}
      </SecretOnce>
    </Dialog>
  );
}

/** Gives a key a new text, after asking, and shows it once. Mounted only while open. */
export function RotateDialog({ of, onChanged, onClose }: { of: KeyView; onChanged: () => void; onClose: () => void }) {
  const t = useTranslations('settings.keys');
  const common = useTranslations('common');
  const task = useTask();
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <MadeKey name={of.name} text={made} onClose={onClose} />;
  const rotate = () =>
    void task.run(
      () => settingsApi.rotateKey(of.id),
      ({ key }) => {
        setMade(key);
        onChanged();
      },
    );
  return (
    <Dialog
      open
      kind="alert"
      onOpenChange={onClose}
      title={<bdi>{t('rotateTitle', { name: of.name })}</bdi>}
      description={t('rotateLead')}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="primary" busy={task.busy} onClick={rotate}>
            {t('rotateDo')}
          </Button>
        </>
      }
    >
      {task.error !== undefined && <ProblemNote title={t('rotateFailed')} thrown={task.error} />}
    </Dialog>
  );
}

'use client';

import { Download } from 'lucide-react';
import { renderSVG } from 'uqr';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { saveFile } from '@/components/ui/save-file';
import { Section } from '@/components/ui/section';
import { SECOND_FACTOR } from '@/components/shell/second-factor-needed';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { CopyButton, CopySnippet } from '@/components/ui/copy-snippet';
import { Dialog } from '@/components/ui/dialog';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useTask } from '@/components/ui/use-task';
import { accountApi, type AccountView, type NewFactor } from '@/components/session-client/account-api';
import { ClocksApart } from './clocks';
import { ProofDialog } from './proof-dialog';
import { useFailure } from './use-failure';

export interface SecondFactorSectionProps {
  account: AccountView;
  onChanged: () => void;
}

/** Codes of an authenticator app: set up with a QR code, recovery codes, turned off. */
export function SecondFactorSection({ account, onChanged }: SecondFactorSectionProps) {
  const t = useTranslations('account.page.factor');
  const [open, setOpen] = useState<'begin' | 'renew' | 'end'>();
  const close = () => setOpen(undefined);
  const { on, recoveryCodes } = account.secondFactor;
  const begin = useRef<HTMLButtonElement>(null);
  // A page that needs a second factor leads here.
  useEffect(() => {
    if (window.location.hash === `#${SECOND_FACTOR}`) begin.current?.focus();
  }, []);
  return (
    <Section title={t('title')} lead={t(on ? 'onLead' : 'offLead')} action={on && <Chip tone="ok">{t('on')}</Chip>}>
      {on ? (
        <div className="flex flex-col gap-3">
          <p className={recoveryCodes < 3 ? 'font-medium text-human' : 'text-ink-2'}>
            {t('left', { n: recoveryCodes })}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('renew')}>{t('renew')}</Button>
            <Button onClick={() => setOpen('end')}>{t('end')}</Button>
          </div>
        </div>
      ) : (
        <Button ref={begin} onClick={() => setOpen('begin')}>
          {t('begin')}
        </Button>
      )}
      {open === 'begin' && <BeginDialog account={account} onChanged={onChanged} onClose={close} />}
      {open === 'renew' && <RenewDialog account={account} onChanged={onChanged} onClose={close} />}
      {open === 'end' && <EndDialog account={account} onChanged={onChanged} onClose={close} />}
    </Section>
  );
}

interface DialogProps extends SecondFactorSectionProps {
  onClose: () => void;
}

/** The steps: the proof, the QR code with a first code, the recovery codes. */
function BeginDialog({ account, onChanged, onClose }: DialogProps) {
  const t = useTranslations('account.page.factor');
  const [made, setMade] = useState<NewFactor>();
  const [confirmed, setConfirmed] = useState(false);
  if (made && confirmed) return <RecoveryCodes codes={made.recoveryCodes} onClose={onClose} />;
  if (made)
    return (
      <ScanDialog
        made={made}
        difference={account.clockAhead}
        onConfirmed={() => {
          setConfirmed(true);
          onChanged();
        }}
        onClose={onClose}
      />
    );
  return (
    <ProofDialog
      account={account}
      title={t('begin')}
      lead={t('beginLead')}
      word={t('next')}
      failed={t('beginFailed')}
      change={accountApi.beginFactor}
      onDone={setMade}
      onClose={onClose}
    />
  );
}

function ScanDialog({
  made,
  difference,
  onConfirmed,
  onClose,
}: {
  made: NewFactor;
  difference: number;
  onConfirmed: () => void;
  onClose: () => void;
}) {
  const t = useTranslations('account.page.factor');
  const account = useTranslations('account');
  const failure = useFailure();
  const task = useTask();
  const [code, setCode] = useState('');
  const digits = code.replace(/\D/gu, '');
  const picture = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(made.uri, { border: 2 }))}`, [made]);
  return (
    <FormDialog
      title={t('scanTitle')}
      description={t('scanLead')}

      word={t('confirm')}
      busy={task.busy}
      usable={digits.length === 6}

      onSubmit={() => void task.run(() => accountApi.confirmFactor(digits), onConfirmed)}
      onClose={onClose}
    >
      <img src={picture} alt={t('qr')} className="size-44 self-center rounded-md bg-white" />
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 text-xs text-ink-2">
          {t('byHand')}
          <code className="mt-0.5 block font-mono break-all text-ink">{made.secret}</code>
        </p>
        <CopyButton text={made.secret} />
      </div>
      <ClocksApart difference={difference} />
      <Field
        autoFocus
        label={account('factor.code.label')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        maxLength={20}
        problem={task.error === undefined ? undefined : failure('code', task.error)}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  );
}

const CODES_FILE = 'wheelhouse-recovery-codes.txt';

/** The recovery codes, shown once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations('account.page.factor');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('codesTitle')}
      description={t('codesLead')}
      footer={
        <>
          <Button onClick={() => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), CODES_FILE)}>
            <Download aria-hidden />
            {t('codesFile')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('codesSaved')}
          </Button>
        </>
      }
    >
      <CopySnippet code={codes.join('\n')} label={t('codesTitle')} />
    </Dialog>
  );
}

/** New recovery codes in place of the old ones. */
function RenewDialog({ account, onChanged, onClose }: DialogProps) {
  const t = useTranslations('account.page.factor');
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <ProofDialog
      account={account}
      title={t('renewTitle')}
      lead={t('renewLead')}
      word={t('renew')}
      failed={t('changeFailed')}
      change={accountApi.renewRecoveryCodes}
      onDone={({ recoveryCodes }) => {
        setCodes(recoveryCodes);
        onChanged();
      }}
      onClose={onClose}
    />
  );
}

function EndDialog({ account, onChanged, onClose }: DialogProps) {
  const t = useTranslations('account.page.factor');
  return (
    <ProofDialog
      account={account}
      title={t('endTitle')}
      lead={t('endLead')}
      word={t('end')}
      failed={t('changeFailed')}
      danger
      change={accountApi.endFactor}
      onDone={() => {
        toast.success(t('ended'));
        onChanged();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

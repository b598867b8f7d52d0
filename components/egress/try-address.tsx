'use client';

import { Ban, Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { readAddress } from '@/components/address';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { useTask } from '@/components/ui/use-task';
import type { Verdict } from '@/components/session-client/workspace-api';

export interface TryAddressProps {
  /** Asks the server; undefined while the policy cannot be tried. */
  check: ((url: string) => Promise<Verdict>) | undefined;
}

/** Says whether pages may go to an address that is typed here, and if not, which rule denies it and whose (GU1). */
export function TryAddress({ check }: TryAddressProps) {
  const t = useTranslations('egress.try');
  const [text, setText] = useState('');
  const [bad, setBad] = useState(false);
  const [found, setFound] = useState<{ url: string; verdict: Verdict }>();
  const task = useTask();
  const look = () => {
    const address = readAddress(text);
    setBad(!address.ok);
    setFound(undefined);
    if (address.ok && check)
      void task.run(async () => ({ url: address.url, verdict: await check(address.url) }), setFound);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Field
          label={t('label')}
          value={text}
          dir="ltr"
          inputMode="url"
          placeholder="example.com"
          className="min-w-0 flex-1"
          problem={bad ? t('bad') : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setBad(false);
            setFound(undefined);
          }}
          onKeyDown={(event) => {
            // Enter here must not save the form around it.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            look();
          }}
        />
        <Button busy={task.busy} disabled={text.trim() === '' || !check} className={bad ? 'mb-5.5' : ''} onClick={look}>
          {t('check')}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {found && <Outcome {...found} />}
      </div>
      {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
    </div>
  );
}

const RULES = ['own-port', 'debug-port', 'metadata', 'private', 'unlisted', 'no-session', 'scheme', 'no-name'] as const;

function Outcome({ url, verdict: { allowed, rule, by } }: { url: string; verdict: Verdict }) {
  const t = useTranslations('egress.try');
  const known = RULES.find((one) => one === rule);
  const Icon = allowed ? Check : Ban;
  return (
    <p className="flex items-start gap-2">
      <Icon aria-hidden className={allowed ? 'mt-0.5 size-4 shrink-0 text-ok' : 'mt-0.5 size-4 shrink-0 text-stuck'} />
      <span className="min-w-0 flex-1">
        <bdi className="font-mono text-sm break-all">{url}</bdi>{' '}
        <strong className="font-medium">{allowed ? t('allowed') : t(`by.${by ?? 'server'}`)}</strong>{' '}
        {!allowed && (
          <span className="text-ink-2">
            {known && t(`rule.${known}`)} <code className="font-mono text-2xs text-ink-3">{rule}</code>
          </span>
        )}
      </span>
    </p>
  );
}

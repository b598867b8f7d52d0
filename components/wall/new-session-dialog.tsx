'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { readAddress } from '@/components/address';
import { PolicyChoice } from '@/components/egress/policy-choice';
import { draftOf, policyOf, type PolicyDraft } from '@/components/egress/policy-draft';
import { api, type NewSession } from '@/components/session-client/api';
import { FormDialog } from '@/components/ui/form-dialog';
import { Field } from '@/components/ui/field';
import { ProblemNote } from '@/components/ui/problem-note';
import { Select } from '@/components/ui/select';
import { useTask } from '@/components/ui/use-task';
import { sessionPath } from '@/components/session-client/workspace';
import { ChevronRight, Laptop, Monitor, Smartphone, Tablet } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import type { EgressPolicy } from '@/lib/egress/policy';

/** Viewports to choose from, CSS pixels. */
const PAGE_SIZES = {
  laptop: { width: 1280, height: 720, icon: Laptop },
  desktop: { width: 1920, height: 1080, icon: Monitor },
  tablet: { width: 820, height: 1180, icon: Tablet },
  phone: { width: 390, height: 844, icon: Smartphone },
} as const;

type PageSize = keyof typeof PAGE_SIZES;

const PAGE_SIZE_NAMES = ['laptop', 'desktop', 'tablet', 'phone'] as const satisfies readonly PageSize[];

/** Idle limits to choose from. Minutes. */
const IDLE_MINUTES = { quarter: 15, hour: 60, shift: 480 } as const;
const IDLE_NAMES = ['never', 'quarter', 'hour', 'shift'] as const;
type Idle = (typeof IDLE_NAMES)[number];
const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;

/** A session without a policy of its own. */
const NOT_NARROWED = draftOf(null);

type Browsers = Awaited<ReturnType<typeof api.listBrowsers>>;
const ANY = 'any';

/** Creates a session: address, name, page size, and the Chrome when there are several. Opens its cockpit afterwards. */
export function NewSessionDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('wall.create');
  const router = useRouter();
  const task = useTask();
  const browsers = useBrowsers();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [size, setSize] = useState<PageSize>('laptop');
  const [browser, setBrowser] = useState(ANY);
  const [idle, setIdle] = useState<Idle>('never');
  const [outgoing, setOutgoing] = useState<PolicyDraft>(NOT_NARROWED);
  const [checked, setChecked] = useState(false);
  const address = url.trim() === '' ? undefined : readAddress(url);
  const bad = address?.ok === false;
  // No policy can be enforced in an attached Chrome.
  const attached = browsers.some(({ id, origin }) => id === browser && origin === 'attached');
  const egress = policyOf(attached ? NOT_NARROWED : outgoing);
  const submit = () => {
    setChecked(true);
    if (bad || !egress) return;
    const fields = newSessionOf({ url: address?.url, name: name.trim(), size, browser, idle, egress });
    void task.run(
      () => api.createSession(fields),
      ({ id }) => router.push(sessionPath(id)),
    );
  };
  return (
    <FormDialog
      title={t('title')}
      description={t('lead')}
      word={t('submit')}
      busy={task.busy}
      usable={egress !== undefined}
      note={
        task.busy && (
          <span role="status" className="mr-auto self-center text-ink-2">
            {t('starting')}
          </span>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={t('url')}
        hint={t('urlHint')}
        problem={checked && bad ? t('urlBad') : undefined}
        value={url}
        inputMode="url"
        placeholder="example.com"
        autoFocus
        onChange={(event) => setUrl(event.target.value)}
        onBlur={() => setChecked(true)}
      />
      <Field
        label={t('name')}
        value={name}
        maxLength={80}
        placeholder={t('namePlaceholder')}
        onChange={(event) => setName(event.target.value)}
      />
      <PageSizes value={size} onChange={setSize} />
      {browsers.length > 1 && (
        <Select
          label={t('browser')}
          value={browser}
          onValueChange={setBrowser}
          options={[
            { value: ANY, label: t('anyBrowser') },
            ...browsers.map((each) => ({
              value: each.id,
              label: each.origin === 'attached' ? t('attached', { name: each.product }) : each.product,
            })),
          ]}
        />
      )}
      <IdleSelect value={idle} onChange={setIdle} />
      {!attached && <OutgoingChoice draft={outgoing} onChange={setOutgoing} />}
      {task.error !== undefined && <ProblemNote title={t('failed')} thrown={task.error} />}
    </FormDialog>
  );
}

/** The Chromes to choose from. Empty when the list cannot be fetched: the server chooses then. */
function useBrowsers(): Browsers {
  const [browsers, setBrowsers] = useState<Browsers>([]);
  useEffect(() => {
    let wanted = true;
    api.listBrowsers().then(
      (list) => wanted && setBrowsers(list),
      () => wanted && setBrowsers([]),
    );
    return () => {
      wanted = false;
    };
  }, []);
  return browsers;
}

function newSessionOf({
  url,
  name,
  size,
  browser,
  idle,
  egress,
}: {
  url: string | undefined;
  name: string;
  size: PageSize;
  browser: string;
  idle: Idle;
  egress: EgressPolicy;
}): NewSession {
  const { width, height } = PAGE_SIZES[size];
  return {
    viewport: { width, height },
    ...(url !== undefined && { url }),
    ...(name !== '' && { name }),
    ...(browser !== ANY && { browser }),
    policy: {
      ...(idle !== 'never' && { idleMs: IDLE_MINUTES[idle] * MINUTE_MS }),
      ...(egress.kind !== 'local' && { egress }),
    },
  };
}

/** Where its pages may go, folded away: most sessions go wherever the workspace allows. */
function OutgoingChoice({ draft, onChange }: { draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }) {
  const t = useTranslations();
  return (
    <details className="group">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-ink-3 transition-transform group-open:rotate-90" />
        {t('cockpit.outgoing.fold')}
        <span className="font-normal text-ink-2">
          {t(`egress.kind.${draft.kind === 'local' ? 'session' : draft.kind}`)}
        </span>
      </summary>
      <div className="mt-3 pl-5.5">
        <PolicyChoice of="session" draft={draft} onChange={onChange} />
      </div>
    </details>
  );
}

function IdleSelect({ value, onChange }: { value: Idle; onChange: (value: Idle) => void }) {
  const t = useTranslations('cockpit.idle');
  const hours = (name: Exclude<Idle, 'never'>) => IDLE_MINUTES[name] / MINUTES_PER_HOUR;
  return (
    <Select
      label={t('limit')}
      value={value}
      onValueChange={onChange}
      options={IDLE_NAMES.map((name) => ({
        value: name,
        label:
          name === 'never'
            ? t('never')
            : hours(name) < 1
              ? t('after', { n: IDLE_MINUTES[name] })
              : t('afterHours', { n: hours(name) }),
      }))}
    />
  );
}

function PageSizes({ value, onChange }: { value: PageSize; onChange: (value: PageSize) => void }) {
  const t = useTranslations('wall.create');
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="font-medium">
        {t('size')}
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onChange(PAGE_SIZE_NAMES.find((name) => name === next) ?? value)}
        className="grid grid-cols-2 gap-2 sm:grid-cols-4"
      >
        {PAGE_SIZE_NAMES.map((name) => {
          const { width, height, icon: Icon } = PAGE_SIZES[name];
          return (
            <RadioGroup.Item
              key={name}
              value={name}
              className="flex flex-col items-start gap-1 rounded-md border border-edge bg-panel p-2.5 text-left transition-colors hover:bg-hover data-[state=checked]:border-ink data-[state=checked]:bg-sel data-[state=checked]:ring-1 data-[state=checked]:ring-ink"
            >
              <Icon aria-hidden className="size-4 text-ink-2" />
              <span className="font-medium">{t(`sizes.${name}`)}</span>
              <span className="font-mono text-2xs text-ink-3">{`${width}×${height}`}</span>
            </RadioGroup.Item>
          );
        })}
      </RadioGroup.Root>
    </div>
  );
}

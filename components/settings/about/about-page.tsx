'use client';

import { Download, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useBytes } from '@/components/messages/use-bytes';
import { useMessageText } from '@/components/messages/use-message-text';
import { useWhen } from '@/components/messages/use-when';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { cn } from '@/components/ui/cn';
import { useProblemToast } from '@/components/ui/use-problem';
import { useTask } from '@/components/ui/use-task';
import { useLoaded } from '@/components/use-loaded';
import { asWheelhouseError } from '@/lib/errors/error';
import type { ServerView } from '@/lib/protocol/server-view';
import { settingsApi } from '../api';
import { saveFile } from '@/components/ui/save-file';
import { SettingsFrame } from '../settings-frame';
import { ListState, Section } from '@/components/ui/section';

/** The server itself, for its owner: versions, doors, browsers, settings, and a file for a bug report (AU3). */
export function AboutPage() {
  const t = useTranslations('settings.about');
  const { data, error } = useLoaded(settingsApi.server);
  const refused = error !== undefined && asWheelhouseError(error).code === 'FORBIDDEN';
  return (
    <SettingsFrame page="about" title={t('title')} lead={t('lead')} action={data && <BundleButton />}>
      {data ? (
        <>
          <Warnings server={data} />
          <Facts server={data} />
          <Doors server={data} />
          <Browsers server={data} />
          <Values title={t('settings')} values={data.settings} />
          <Values title={t('figures')} values={data.figures} />
        </>
      ) : refused ? (
        <Section title={t('title')} lead={t('refused')} />
      ) : (
        <Section title={t('title')} flush>
          <ListState loading error={error} failed={t('failed')} />
        </Section>
      )}
    </SettingsFrame>
  );
}

/** Downloads the file for a bug report. */
function BundleButton() {
  const t = useTranslations('settings.about');
  const problem = useProblemToast();
  const task = useTask();
  const download = () =>
    void task.run(async () => {
      await settingsApi
        .bundle()
        .then((file) => saveFile(file, 'wheelhouse-diagnostics.json'))
        .catch((error: unknown) => problem(t('bundleFailed'), error));
    });
  return (
    <Button title={t('bundleHint')} busy={task.busy} onClick={download}>
      {!task.busy && <Download aria-hidden />}
      {t('bundle')}
    </Button>
  );
}

function Warnings({ server: { trouble, warnings, warningsSaid } }: { server: ServerView }) {
  const say = useMessageText();
  const texts = warnings.map((text, index) => {
    const said = warningsSaid[index];
    return said ? say(said) : text;
  });
  const all = [...(trouble === null ? [] : [trouble]), ...texts];
  if (all.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2 rounded-lg border border-human/40 bg-human-soft p-4">
      {all.map((text) => (
        <li key={text} className="flex gap-3">
          <TriangleAlert aria-hidden className="mt-px size-4 shrink-0 text-human" />
          <bdi className="min-w-0 break-words">{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Names and values, in two columns where there is room. */
function Lines({ lines }: { lines: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-[minmax(120px,200px)_minmax(0,1fr)]">
      {lines.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3 max-sm:-mb-2">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ server }: { server: ServerView }) {
  const t = useTranslations('settings.about');
  const bytes = useBytes();
  const { ago } = useWhen();
  return (
    <Section title="Wheelhouse">
      <Lines
        lines={[
          [t('version'), server.version],
          [t('runsOn'), `Node ${server.node} · ${server.platform}`],
          [t('started'), ago(server.startedAt)],
          [t('owner'), <bdi key="owner">{server.owner.name}</bdi>],
          [t('disk'), t('diskValue', { used: bytes(server.disk.databaseBytes), free: bytes(server.disk.freeBytes) })],
          [t('timelines'), t(`timelineState.${server.timelines.state}`)],
        ]}
      />
    </Section>
  );
}

function Doors({ server }: { server: ServerView }) {
  const t = useTranslations('settings.about');
  const format = useFormatter();
  const { oidc, mail } = server;
  return (
    <Section title={t('doors')}>
      <Lines
        lines={[
          [t('addresses'), <bdi key="addresses">{server.addresses.join(', ')}</bdi>],
          [t('reach'), t(server.beyondLoopback ? 'reachAll' : 'reachHere')],
          [t('tls'), t(server.tls ? 'tlsOwn' : server.trustedHops > 0 ? 'tlsProxy' : 'tlsNone')],
          [t('passwords'), t(server.passwordSignIn ? 'on' : 'off')],
          [t('provider'), <bdi key="provider">{oidc ? oidc.issuer : t('notSet', { variable: 'OIDC_ISSUER' })}</bdi>],
          ...(oidc && oidc.domains.length > 0 ? [[t('domains'), format.list(oidc.domains)] as const] : []),
          [t('mail'), <bdi key="mail">{mail ? mail.server : t('notSet', { variable: 'SMTP_URL' })}</bdi>],
        ]}
      />
    </Section>
  );
}

function Browsers({ server: { browsers, workspaces } }: { server: ServerView }) {
  const t = useTranslations('settings.about');
  return (
    <Section title={t('workspaces')} flush>
      <ul className="divide-y divide-line">
        {workspaces.map(({ id, name, members, sessions }) => (
          <li key={id} className="px-4 py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <bdi className="min-w-0 font-medium break-words">{name}</bdi>
              <span className="text-xs text-ink-2">{t('counts', { members, sessions })}</span>
            </p>
            <ul className="mt-1 flex flex-col gap-1 empty:hidden">
              {browsers
                .filter(({ workspace }) => workspace === id)
                .map((browser) => (
                  <li key={browser.id} className="flex flex-wrap items-center gap-x-2 text-xs text-ink-2">
                    <bdi>{browser.product}</bdi>
                    {t('tabs', { n: browser.tabs })}
                    {browser.state === 'down' && (
                      <Chip size="sm" tone="danger">
                        {t('down')}
                      </Chip>
                    )}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Characters above which a value has lines of its own, below the others. */
const LONG = 60;

function Values({ title, values }: { title: string; values: Readonly<Record<string, string | number | boolean>> }) {
  const t = useTranslations('settings.about');
  const sorted = Object.entries(values).toSorted(([a], [b]) => a.localeCompare(b));
  const isLong = ([, value]: (typeof sorted)[number]) => String(value).length > LONG;
  const lines = [...sorted.filter((line) => !isLong(line)), ...sorted.filter(isLong)];
  if (lines.length === 0) return null;
  return (
    <Section title={title}>
      <dl className="grid gap-x-8 gap-y-1 font-mono text-xs md:grid-cols-2">
        {lines.map(([name, value]) => (
          <div
            key={name}
            className={cn(
              'flex min-w-0 flex-wrap justify-between gap-x-4 border-b border-line py-1',
              isLong([name, value]) && 'md:col-span-2',
            )}
          >
            <dt className="max-w-full break-words text-ink-2">{name}</dt>
            <dd className={cn('max-w-full break-words', !isLong([name, value]) && 'text-right')}>
              {typeof value === 'boolean' ? t(value ? 'isSet' : 'isNotSet') : String(value)}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

'use client';

import { FileUp, Paperclip, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslations, useLocale } from 'use-intl';
import { hostOf } from '@/components/address';
import { FileName } from '@/components/files/file-name';
import { pickFiles } from '@/components/files/pick-files';
import { Progress } from '@/components/files/progress';
import { fitsAccept } from '@/components/files/rows';
import { useFileDrop } from '@/components/files/use-file-drop';
import { useFiles, useMayFiles, useSendFiles, useUploads } from '@/components/files/use-files';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import type { ChooserView } from '@/lib/files/views';
import { useCockpit } from './cockpit-context';
import { useFocusBack } from './use-focus-back';

/**
 * The page's file chooser (DI2): participants who may act answer it with files of this computer or of the session;
 * others see a note.
 */
export function PageChooser({ chooser, url }: { chooser: ChooserView; url: string }) {
  const { mayAct, session } = useCockpit();
  const may = useMayFiles(session.id);
  return mayAct && may ? <ChooserCard chooser={chooser} url={url} /> : <ChooserNote chooser={chooser} />;
}

function ChooserCard({ chooser, url }: { chooser: ChooserView; url: string }) {
  const t = useTranslations('files');
  const words = useAcceptWords();
  const { act } = useCockpit();
  const { chosen, toggle, give, fromComputer, busy } = useAnswer(chooser);
  const { over, handlers } = useFileDrop((files) => void fromComputer(files));
  const box = useRef<HTMLDivElement>(null);
  const title = useId();
  useEffect(() => box.current?.querySelector<HTMLElement>('[data-first]')?.focus(), []);
  useFocusBack();
  const close = () =>
    void act({ kind: 'dialog', do: 'answer', dialogId: chooser.id, accept: false }, t('chooser.cancelFailed'));
  const many = chooser.multiple ? 'yes' : 'no';
  const host = hostOf(url);
  const takes = words(chooser.accept);
  return (
    <div
      className="absolute inset-0 z-10 grid animate-fade place-items-start justify-center overflow-auto bg-black/35 p-4 max-sm:fixed max-sm:z-40 max-sm:items-end max-sm:justify-stretch max-sm:p-0"
      {...handlers}
    >
      <div
        ref={box}
        role="dialog"
        aria-labelledby={title}
        className={cn(
          'flex max-h-full w-[min(100%,420px)] animate-rise flex-col rounded-lg border bg-raised shadow-pop max-sm:w-full max-sm:rounded-b-none',
          over ? 'border-focus' : 'border-line-strong',
        )}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') close();
        }}
      >
        <header className="px-4 pt-4">
          <h2 id={title} className="text-md font-semibold">
            {t('chooser.title', { many })}{' '}
            {host !== '' && <bdi className="font-normal text-ink-2">{t('chooser.from', { host })}</bdi>}
          </h2>
          {takes !== '' && (
            <p className="mt-0.5 text-sm break-words text-ink-2">
              <bdi>{t('chooser.takes', { accept: takes })}</bdi>
            </p>
          )}
        </header>
        <div
          className={cn(
            'mx-4 mt-3 flex flex-wrap items-center gap-3 rounded-md border border-dashed p-3',
            over ? 'border-focus bg-sel' : 'border-line-strong',
          )}
        >
          <Button
            data-first
            variant={chosen.length === 0 ? 'primary' : 'secondary'}
            busy={busy}
            onClick={() => void pickFiles(chooser).then(fromComputer)}
          >
            <FileUp aria-hidden />
            {t('chooser.computer')}
          </Button>
          <span className="text-sm text-ink-3 pointer-coarse:hidden">{t('chooser.dropHint')}</span>
        </div>
        <Sending />
        <SessionFilesChoice chooser={chooser} chosen={chosen} onToggle={toggle} />
        <footer className="mt-3 flex justify-end gap-2 border-t border-line px-4 py-3 max-sm:pb-[max(12px,env(safe-area-inset-bottom))]">
          <Button className="max-sm:h-11 max-sm:flex-1" onClick={close}>
            {t('chooser.cancel')}
          </Button>
          <Button
            className="max-sm:h-11 max-sm:flex-1"
            variant={chosen.length === 0 ? 'secondary' : 'primary'}
            disabled={chosen.length === 0}
            busy={busy}
            onClick={() => void give(chosen)}
          >
            {t('chooser.give', { n: chosen.length })}
          </Button>
        </footer>
      </div>
    </div>
  );
}

/** Holds the chosen file names and answers the chooser. Files of this computer are uploaded to the session first. */
function useAnswer({ multiple }: ChooserView) {
  const t = useTranslations('files');
  const { session, act } = useCockpit();
  const send = useSendFiles(session.id);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const toggle = (name: string) =>
    setChosen((before) =>
      before.includes(name) ? before.filter((one) => one !== name) : multiple ? [...before, name] : [name],
    );
  const give = async (names: readonly string[]) => {
    setBusy(true);
    await act({ kind: 'upload', paths: [...names] }, t('giveFailed'));
    setBusy(false);
  };
  const fromComputer = async (files: readonly File[]) => {
    const wanted = multiple ? files : files.slice(0, 1);
    if (wanted.length === 0 || busy) return;
    setBusy(true);
    const sent = await send(wanted);
    setBusy(false);
    // `Sending` shows the file that failed; the others stay chosen until the person gives them.
    if (sent.length === wanted.length) await give([...(multiple ? chosen : []), ...sent]);
    else setChosen((before) => [...(multiple ? before : []), ...sent]);
  };
  return { chosen, toggle, give, fromComputer, busy };
}

/** Shows the running and failed uploads to the session. */
function Sending() {
  const t = useTranslations('files');
  const { session } = useCockpit();
  const uploads = useUploads(session.id);
  if (uploads.length === 0) return null;
  return (
    <ul className="mx-4 mt-2 space-y-1.5">
      {uploads.slice(0, 5).map(({ id, name, sent, size, problem }) => (
        <li key={id} className="text-sm">
          <FileName name={name} />
          {problem === undefined ? (
            <Progress done={sent} total={size} label={name} />
          ) : (
            <span className="text-xs text-stuck">{t('notSent')}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ChoiceProps {
  chooser: ChooserView;
  chosen: readonly string[];
  onToggle: (name: string) => void;
}

function SessionFilesChoice({ chooser, chosen, onToggle }: ChoiceProps) {
  const t = useTranslations('files');
  const { session } = useCockpit();
  const group = useId();
  const files = (useFiles(session.id)?.files ?? [])
    .toReversed()
    .map((file) => ({ ...file, fits: fitsAccept(file.name, chooser.accept) }));
  if (files.length === 0) return null;
  const sorted = [...files.filter(({ fits }) => fits), ...files.filter(({ fits }) => !fits)];
  return (
    <fieldset className="mx-4 mt-3 flex min-h-0 min-w-0 flex-col">
      <legend className="pb-1 text-xs font-medium text-ink-3">{t('chooser.session')}</legend>
      <div className="max-h-52 min-h-0 overflow-y-auto rounded-md border border-line">
        {sorted.map(({ name, fits }) => (
          <label
            key={name}
            className="flex min-h-8 items-center gap-2.5 border-b border-line px-2.5 py-1 last:border-b-0 hover:bg-hover pointer-coarse:min-h-11"
          >
            <input
              type={chooser.multiple ? 'checkbox' : 'radio'}
              name={group}
              className="size-4 shrink-0 accent-(--ink)"
              checked={chosen.includes(name)}
              onChange={() => onToggle(name)}
            />
            <FileName name={name} className={cn(!fits && 'text-ink-3')} />
            {!fits && <span className="ml-auto shrink-0 text-xs text-ink-3">{t('chooser.noFit')}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The note for participants who may not answer. It leaves the page in view. */
function ChooserNote({ chooser }: { chooser: ChooserView }) {
  const t = useTranslations('files');
  const { lease } = useCockpit();
  const [hidden, setHidden] = useState(false);
  if (hidden) return null;
  return (
    <div
      role="status"
      className="absolute inset-x-3 top-3 z-10 mx-auto flex w-fit max-w-full animate-rise items-center gap-2 rounded-md border border-line-strong bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-pop"
    >
      <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
      <bdi className="min-w-0">
        {t('chooser.others', { many: chooser.multiple ? 'yes' : 'no', name: lease.holder?.name ?? '' })}
      </bdi>
      <IconButton label={t('chooser.hide')} size="icon-sm" onClick={() => setHidden(true)}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

/**
 * Puts the `accept` of a file field into words: `image/*,.pdf` gives "pictures, .pdf". Page-made text; empty when the
 * field accepts any file.
 */
function useAcceptWords(): (accept: string) => string {
  const t = useTranslations('files.chooser.sort');
  const locale = useLocale();
  return (accept) => {
    const kinds = accept
      .split(',')
      .map((kind) => kind.trim())
      .filter((kind) => kind !== '' && kind !== '*/*');
    return kinds
      .map((kind) =>
        kind === 'image/*' ? t('image') : kind === 'audio/*' ? t('audio') : kind === 'video/*' ? t('video') : kind,
      )
      .join(locale === 'zh' ? '、' : ', ');
  };
}

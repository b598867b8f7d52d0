'use client';

import { Info, RotateCw, ShieldCheck, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMessageText } from '@/components/messages/use-message-text';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { useTask } from '@/components/ui/use-task';
import type { InForce } from '@/lib/control/in-force';
import { useCockpit } from './cockpit-context';

/**
 * Tells a person who took the lease which scripts and settings of the agent are stopped or put aside, what may still
 * run, and how to end it (CO3).
 */
export function LeftBar() {
  const { mine, tab, live } = useCockpit();
  const { inForce, epoch } = tab?.control ?? {};
  return mine && live && inForce ? <LeftNote key={`${tab?.id} ${epoch}`} inForce={inForce} /> : null;
}

/** Shows the first entry in one line and the others in a dialog. Once closed it stays closed for this epoch. */
export function LeftNote({ inForce }: { inForce: readonly InForce[] }) {
  const t = useTranslations('cockpit.left');
  const common = useTranslations('common');
  const words = useWords();
  const [closed, setClosed] = useState(false);
  const [open, setOpen] = useState(false);
  const [first, ...rest] = inForce;
  if (!first || closed) return null;
  return (
    <aside
      role="note"
      aria-label={t('label')}
      className="flex min-h-11 items-center gap-x-3 border-t border-line bg-raised px-3 py-1 text-sm"
    >
      <ShieldCheck aria-hidden className="size-4 shrink-0 text-ink-3 max-sm:hidden" />
      <p role="status" className="min-w-0 flex-1 text-ink-2 max-sm:text-xs max-sm:break-words sm:truncate">
        <bdi>{words(first)}</bdi>
      </p>
      {rest.length > 0 && (
        <IconButton label={common('details')} side="top" className="shrink-0" onClick={() => setOpen(true)}>
          <Info aria-hidden />
        </IconButton>
      )}
      {inForce.some(({ kind }) => kind === 'scripts') && <Reload />}
      <IconButton label={common('close')} side="top" className="shrink-0" onClick={() => setClosed(true)}>
        <X aria-hidden />
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen} title={t('label')} description={t('lead')}>
        <ul className="flex list-disc flex-col gap-2 pl-5 text-ink-2">
          {inForce.map((one) => (
            <li key={`${one.kind} ${one.text}`}>
              <bdi>{words(one)}</bdi>
            </li>
          ))}
        </ul>
      </Dialog>
    </aside>
  );
}

function Reload() {
  const t = useTranslations('cockpit.left');
  const common = useTranslations('common');
  const { help, mayHelp } = useCockpit();
  const { busy, run } = useTask();
  if (!mayHelp) return null;
  return (
    <Button
      size="sm"
      className="shrink-0 pointer-coarse:h-10"
      busy={busy}
      onClick={() => void run(() => help({ kind: 'remedy', do: 'reload' }, t('failed')))}
    >
      {!busy && <RotateCw aria-hidden />}
      {common('reload')}
    </Button>
  );
}

function useWords(): (one: InForce) => string {
  const say = useMessageText();
  return ({ said, text }) => (said ? say(said) : text);
}

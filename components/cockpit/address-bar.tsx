'use client';

import { ArrowLeft, ArrowRight, PanelRight, RotateCw, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLink } from '@/components/session-client/use-session-client';
import { CommentTool } from '@/components/comments/comment-tool';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import type { Action } from '@/lib/actions/kinds';
import { useCockpit } from './cockpit-context';
import { UrlField } from './url-field';
import { ViewTools } from './view-tools';

const STOP_LOADING: Action = { kind: 'remedy', do: 'stop-loading' };

/**
 * The toolbar of the cockpit: back, forward, reload or stop, the address field, page size and zoom, and the panel
 * switch.
 */
export function AddressBar({
  panelOpen,
  onTogglePanel,
}: {
  panelOpen: boolean;
  onTogglePanel: (() => void) | undefined;
}) {
  const t = useTranslations('cockpit');
  const { tab, act, help, live, mayDrive } = useCockpit();
  const guest = useLink() !== undefined;
  const go = (action: Action) => void act(action, t('address.goFailed'));
  const loading = tab?.health.state === 'loading';
  return (
    <div
      role="toolbar"
      aria-label={t('address.label')}
      className="flex h-10 shrink-0 items-center gap-0.5 border-b border-line bg-panel px-2 pointer-coarse:h-12"
    >
      {(mayDrive || !guest) && (
        <>
          <IconButton
            label={t('address.back')}
            size="icon-sm"
            disabled={!live || !tab?.canGoBack}
            onClick={() => go({ kind: 'history', go: 'back' })}
          >
            <ArrowLeft aria-hidden />
          </IconButton>
          <IconButton
            label={t('address.forward')}
            size="icon-sm"
            className="max-sm:hidden"
            disabled={!live || !tab?.canGoForward}
            onClick={() => go({ kind: 'history', go: 'forward' })}
          >
            <ArrowRight aria-hidden />
          </IconButton>
          <IconButton
            label={t(loading && !guest ? 'address.stop' : 'address.reload')}
            size="icon-sm"
            disabled={!live || !tab}
            onClick={() =>
              loading && !guest
                ? void help(STOP_LOADING, t('address.stopFailed'))
                : go({ kind: 'history', go: 'reload' })
            }
          >
            {loading && !guest ? <X aria-hidden /> : <RotateCw aria-hidden />}
          </IconButton>
        </>
      )}
      {tab ? <UrlField key={tab.id} tab={tab} /> : <div className="flex-1" />}
      <CommentTool />
      <ViewTools />
      {onTogglePanel && (
        <IconButton
          label={t(panelOpen ? 'view.hidePanel' : 'view.showPanel')}
          size="icon-sm"
          aria-pressed={panelOpen}
          className={cn(panelOpen && 'text-ink')}
          onClick={onTogglePanel}
        >
          <PanelRight aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

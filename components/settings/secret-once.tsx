'use client';

import { KeyRound, Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/copy-snippet';

/** A key or a link that is shown once, with a button to copy it. */
export function SecretOnce({ kind, secret, children }: { kind: 'key' | 'link'; secret: string; children: ReactNode }) {
  const Icon = kind === 'key' ? KeyRound : Link2;
  return (
    <div role="status" className="rounded-md border border-ok/40 bg-ok-soft p-3">
      <div className="flex items-start gap-2.5">
        <Icon aria-hidden className="mt-1.5 size-4 shrink-0 text-ok" />
        <code className="min-w-0 flex-1 py-1 font-mono text-xs break-all">{secret}</code>
        <CopyButton text={secret} />
      </div>
      <p className="mt-1 text-xs text-ink-2">{children}</p>
    </div>
  );
}

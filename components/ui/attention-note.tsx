import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A note that needs the reader's attention. `role`: `alert` for one that comes while the page is read. */
export function AttentionNote({
  role,
  icon: Icon,
  children,
}: {
  role: 'alert' | 'note';
  icon: LucideIcon;
  children: ReactNode;
}) {
  return (
    <div role={role} className="flex gap-3 rounded-md border border-human/40 bg-human-soft p-3">
      <Icon aria-hidden className="mt-px size-4 shrink-0 text-human" />
      {children}
    </div>
  );
}

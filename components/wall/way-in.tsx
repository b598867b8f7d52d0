import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** One of the ways to begin on the empty wall. */
export function WayIn({
  icon: Icon,
  title,
  lead,
  children,
}: {
  icon: LucideIcon;
  title: string;
  lead: string;
  children: ReactNode;
}) {
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-panel p-5">
      <Icon aria-hidden className="size-5 text-ink-2" />
      <div>
        <h2 className="text-md font-semibold">{title}</h2>
        <p className="mt-1 text-ink-2">{lead}</p>
      </div>
      {children}
    </li>
  );
}

'use client';

import { TriangleAlert } from 'lucide-react';
import type { DoneBrief } from '@/components/messages/event-words';
import { useDoneLine } from '@/components/messages/use-event-line';

/** Lists actions, one line each; with `steps`, each with the step by which an agent would do the same. */
export function DoneList({ done, steps }: { done: readonly DoneBrief[]; steps?: readonly string[] }) {
  const line = useDoneLine();
  return (
    <ol className="flex flex-col gap-1.5">
      {done.map((each, index) => (
        <li key={index} className="min-w-0 text-sm break-words">
          <bdi>{line(each)}</bdi>
          {each.code !== undefined && (
            <span className="ml-1.5 inline-flex items-center gap-1 font-mono text-2xs text-stuck">
              <TriangleAlert aria-hidden className="size-3" />
              {each.code}
            </span>
          )}
          {steps?.[index] !== undefined && (
            <code dir="ltr" className="block font-mono text-xs break-all text-ink-3">
              {steps[index]}
            </code>
          )}
        </li>
      ))}
    </ol>
  );
}

import { cn } from '@/components/ui/cn';
import { nameParts } from './rows';

/** A file's name on one line, cut in its middle; page-made text. */
export function FileName({ name, className }: { name: string; className?: string }) {
  const { stem, ending } = nameParts(name);
  return (
    <bdi title={name} className={cn('inline-flex max-w-full min-w-0 align-bottom', className)}>
      <span className="truncate whitespace-pre">{stem}</span>
      <span className="shrink-0 whitespace-pre">{ending}</span>
    </bdi>
  );
}

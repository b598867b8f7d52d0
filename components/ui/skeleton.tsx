import { cn } from './cn';

/** A grey placeholder block. Hidden from screen readers: the loading region says once that it loads. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block animate-shimmer rounded-sm bg-sel', className)} />;
}

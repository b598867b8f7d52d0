import { cn } from './cn';

/** A grey block where something will be. Hidden from screen readers: the region that loads says so once. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block animate-shimmer rounded-sm bg-sel', className)} />;
}

/** A progress bar of `done` of `total`; a total of 0 means unknown. */
export function Progress({ done, total, label }: { done: number; total: number; label: string }) {
  const known = total > 0;
  const part = known ? Math.min(100, Math.round((done / total) * 100)) : undefined;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(part !== undefined && { 'aria-valuenow': part })}
      className="h-1 overflow-hidden rounded-full bg-sel"
    >
      <div
        className={
          known
            ? 'h-full rounded-full bg-agent transition-[width]'
            : 'h-full w-full animate-shimmer rounded-full bg-agent'
        }
        style={known ? { width: `${part ?? 0}%` } : undefined}
      />
    </div>
  );
}

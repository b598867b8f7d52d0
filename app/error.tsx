'use client';

import { Crash } from '@/components/shell/crash';

/** Next's error page: a component threw while it rendered. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <Crash error={error} onRetry={reset} />;
}

'use client';

import { Crash } from '@/components/shell/crash';

/** A fault of the page itself. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <Crash error={error} onRetry={reset} />;
}

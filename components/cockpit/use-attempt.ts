'use client';

import { useProblemToast } from '@/components/ui/use-problem';

/**
 * Gives a function that awaits work and returns whether it succeeded; it shows failures as a toast with the title
 * `failed`.
 */
export function useAttempt(): (work: Promise<unknown>, failed: string) => Promise<boolean> {
  const tell = useProblemToast();
  return async (work, failed) => {
    try {
      await work;
      return true;
    } catch (thrown) {
      tell(failed, thrown);
      return false;
    }
  };
}

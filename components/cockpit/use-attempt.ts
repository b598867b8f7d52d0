'use client';

import { useProblemToast } from '@/components/ui/use-problem';

/** Waits for something that may fail: true when it worked, else the failure is told under `failed`. */
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

'use client';

import { useEffect, useRef, useState } from 'react';

export type CopyState = 'idle' | 'copied' | 'failed';

/**
 * Copies text and says for two seconds how it went. The Clipboard API is missing on plain http beyond loopback: then it
 * is `failed`.
 */
export function useCopy(): { state: CopyState; copy: (text: string) => Promise<boolean> } {
  const [state, setState] = useState<CopyState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    const done = await writeClipboard(text);
    setState(done ? 'copied' : 'failed');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), 2_000);
    return done;
  };
  return { state, copy };
}

/** Whether the text is now on the clipboard; refusal by the browser is an answer, not a fault. */
export async function writeClipboard(text: string): Promise<boolean> {
  if (!('clipboard' in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

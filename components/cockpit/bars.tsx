'use client';

import { useEffect, useRef, type ReactNode } from 'react';

/** The bars below the page. Says how high they are, by `--bars`, so that toasts stand above them. */
export function Bars({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver((entries) =>
      style.setProperty('--bars', `${entries.at(-1)?.borderBoxSize[0]?.blockSize ?? 0}px`),
    );
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--bars');
    };
  }, []);
  return (
    <div ref={box} className="shrink-0">
      {children}
    </div>
  );
}

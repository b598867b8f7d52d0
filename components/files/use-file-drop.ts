'use client';

import { useEffect, useState, type DragEvent } from 'react';

interface FileDrop {
  /** True while files are dragged over the element. */
  readonly over: boolean;
  readonly handlers: Readonly<
    Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent<HTMLElement>) => void>
  >;
}

/** Handlers for an element that files can be dropped on. */
export function useFileDrop(dropped: (files: readonly File[], event: DragEvent<HTMLElement>) => void): FileDrop {
  const [over, setOver] = useState(false);
  const take = (event: DragEvent<HTMLElement>, inside: boolean): boolean => {
    if (!event.dataTransfer.types.includes('Files')) return false;
    event.preventDefault();
    event.stopPropagation();
    setOver(inside);
    return true;
  };
  return {
    over,
    handlers: {
      onDragEnter: (event) => void take(event, true),
      onDragOver: (event) => {
        if (take(event, true)) event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event) => {
        const within = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        if (!within) setOver(false);
      },
      onDrop: (event) => {
        if (take(event, false)) dropped([...event.dataTransfer.files], event);
      },
    },
  };
}

/** Refuses files that are dropped anywhere else: the browser would open them in place of the cockpit. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

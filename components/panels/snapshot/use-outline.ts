'use client';

import { useCallback, useEffect, useRef } from 'react';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { outline } from '@/components/viewport/outlined';
import type { SnapshotLine } from './line';

/** Milliseconds that the pointer must rest on a line before the server is asked for its box. */
const REST_MS = 50;

/**
 * Gives a function that outlines the element of a line in the picture; undefined removes the outline. Asks the server
 * for the element's box.
 */
export function useOutline(tab: string): (line: SnapshotLine | undefined) => void {
  const client = useSessionClient();
  const { session } = useCockpit();
  const wanted = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      wanted.current = undefined;
      outline(undefined);
    },
    [tab],
  );
  return useCallback(
    (line) => {
      clearTimeout(timer.current);
      const ref = line?.ref;
      if (ref === wanted.current) return;
      wanted.current = ref;
      outline(undefined);
      if (line === undefined || ref === undefined) return;
      const ask = async () => {
        const { box } = await client.request('element.box', { session: session.id, tab, ref });
        if (wanted.current !== ref) return;
        outline(box ? { tab, ref, box, name: nameOf(line) } : undefined);
      };
      timer.current = setTimeout(() => void ask().catch(() => outline(undefined)), REST_MS);
    },
    [client, session.id, tab],
  );
}

/** Role, name and ref, as in `textbox “City” e31`; bounded. */
export function nameOf({ role = '', name = '', ref = '' }: SnapshotLine): string {
  return `${role}${name === '' ? '' : ` “${name.slice(0, 60)}”`} ${ref}`.trim();
}

'use client';

import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSessionClient } from '@/components/session-client/use-session-client';
import { ElementOutline } from '@/components/viewport/overlay-box';
import type { Box } from '@/lib/protocol/catalog';
import type { HelpRequestView } from '@/lib/help/help-request';

/** Milliseconds between requests for the element's box: the page may scroll or change under the outline. */
const LOOK_EVERY_MS = 1_000;

export interface HelpRequestOutlineProps {
  session: string;
  tab: string;
  element: NonNullable<HelpRequestView['element']>;
  scale: number;
  /** Size of the picture, CSS pixels of the page. */
  page: { readonly width: number; readonly height: number };
}

/** Outlines the element of a help request, in the picture and not in the page. */
export function HelpRequestOutline({ session, tab, element, scale, page }: HelpRequestOutlineProps) {
  const client = useSessionClient();
  const [box, setBox] = useState<Box | null>(null);
  const { ref } = element;
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      // No outline while the element is gone or the page does not answer; both may pass.
      const seen = await client.request('element.box', { session, tab, ref }).catch(() => ({ box: null }));
      if (over) return;
      setBox(seen.box);
      timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [client, session, tab, ref]);
  if (!box || !inView(box, page)) return null;
  return <ElementOutline box={box} scale={scale} lease="help" sign={Hand} />;
}

function inView({ x, y, width, height }: Box, page: HelpRequestOutlineProps['page']): boolean {
  return x + width > 0 && y + height > 0 && x < page.width && y < page.height;
}

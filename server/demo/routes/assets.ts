import { favicon, isPictureName, productPicture } from '@/server/demo/art/pictures';
import { SCRIPTS } from '@/server/demo/client';
import type { Answer } from '@/server/demo/http/answer';
import { STYLES } from '@/server/demo/style';

const SVG = 'image/svg+xml';

/** Style sheet, scripts and pictures; undefined for every other path. A request for them creates no shopper. */
export function assetAt(path: string): Answer | undefined {
  if (path === '/favicon.svg') return { kind: 'text', type: SVG, text: favicon() };
  if (path === '/assets/shop.css') return { kind: 'text', type: 'text/css; charset=utf-8', text: STYLES };
  const script = path.startsWith('/assets/') ? SCRIPTS.get(path.slice('/assets/'.length)) : undefined;
  if (script !== undefined) return { kind: 'text', type: 'text/javascript; charset=utf-8', text: script };
  const picture = /^\/pictures\/([a-z-]+)\.svg$/.exec(path)?.[1];
  return picture !== undefined && isPictureName(picture)
    ? { kind: 'text', type: SVG, text: productPicture(picture) }
    : undefined;
}

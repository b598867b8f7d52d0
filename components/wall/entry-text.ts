import { hostOf } from '@/components/address';
import type { WallEntry } from './wall-list';

/** Title of a card: the page's title, else its host, else the session's name. Page-made text: put it in a `<bdi>`. */
export function titleOf({ session, tab }: WallEntry): string {
  const title = tab?.title.trim();
  if (title) return title;
  return (tab && hostOf(tab.url)) || session.name;
}

/** Subtitle of a card: the host and the session's name, each only where it adds to the title. */
export function subtitleOf(entry: WallEntry): { host: string; name: string } {
  const title = titleOf(entry);
  const host = entry.tab ? hostOf(entry.tab.url) : '';
  const { name } = entry.session;
  return { host: host === title ? '' : host, name: name === title || name === host ? '' : name };
}

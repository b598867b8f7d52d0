import type { LinkRefusal } from '@/lib/links/link-terms';

/** State of the page's connection to the server. */
export type ConnectionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'online' }
  /** `attempt` counts the attempts since the connection was last good, from 0. */
  | { readonly state: 'reconnecting'; readonly attempt: number; readonly reason?: string }
  /** The client does not reconnect from these by itself. */
  | { readonly state: 'signed-out'; readonly reason?: string }
  | { readonly state: 'no-workspace'; readonly reason?: string }
  /** The share link of this page lets nobody in, or not now. */
  | { readonly state: 'link-over'; readonly why: LinkRefusal }
  | { readonly state: 'outdated'; readonly reason?: string };

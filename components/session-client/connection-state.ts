/** What the page knows about its line to the server (ui.md, Behaviour: a lost connection shows at once). */
export type ConnectionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'online' }
  /** `attempt` counts the tries since the line was last good, from 0. */
  | { readonly state: 'reconnecting'; readonly attempt: number; readonly reason?: string }
  /** These two do not end by themselves. */
  | { readonly state: 'signed-out'; readonly reason?: string }
  | { readonly state: 'outdated'; readonly reason?: string };

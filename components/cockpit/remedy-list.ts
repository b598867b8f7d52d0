import type { TabView } from '@/lib/protocol/views';

export type Remedy = 'stopScript' | 'resume' | 'reload' | 'blank' | 'restart' | 'close';

/** What can help a stuck tab, the gentlest first (EV4). */
export function remediesFor({ health }: Pick<TabView, 'health'>): readonly Remedy[] {
  if (health.state === 'crashed') return ['reload', 'restart', 'blank'];
  if (health.said?.code === 'pagePaused') return ['resume', 'blank', 'restart'];
  // A page whose script was running before it was found answers nobody: only another page takes its place.
  if (health.said?.code === 'foundSilent') return ['restart', 'blank'];
  return ['stopScript', 'reload', 'blank', 'restart'];
}

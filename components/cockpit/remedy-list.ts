import type { TabView } from '@/lib/protocol/views';

export type Remedy = 'stopScript' | 'resume' | 'reload' | 'blank' | 'restart' | 'reopen' | 'close';

/** What can help a stuck tab, the gentlest first (EV4). */
export function remediesFor({ health, stuck }: Pick<TabView, 'health' | 'stuck'>): readonly Remedy[] {
  if (stuck?.said?.code === 'floodParked') return ['reopen'];
  if (stuck?.said?.code.startsWith('flood') === true) return ['reload', 'blank', 'restart'];
  // The page itself is well: a person takes the wheel, or the agent gets a fresh page.
  if (stuck && health.state !== 'hung' && health.state !== 'crashed') return ['reload', 'restart'];
  if (health.state === 'crashed') return ['reload', 'restart', 'blank'];
  if (health.said?.code === 'pagePaused') return ['resume', 'blank', 'restart'];
  // A page whose script was running before it was found answers nobody: only another page takes its place.
  if (health.said?.code === 'foundSilent') return ['restart', 'blank'];
  return ['stopScript', 'reload', 'blank', 'restart'];
}

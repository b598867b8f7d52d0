import type { ReactNode } from 'react';
import { SettingsGate } from '@/components/settings/settings-gate';

/** All pages of the settings, each for those who may see it. They contain no data: they get it by the API. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <SettingsGate>{children}</SettingsGate>;
}

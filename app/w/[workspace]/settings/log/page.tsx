import { LogPage } from '@/components/settings/log/log-page';

export default function SettingsLog() {
  return <LogPage />;
}

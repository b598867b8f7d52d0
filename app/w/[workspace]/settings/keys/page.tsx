import { KeysPage } from '@/components/settings/keys/keys-page';

export default function SettingsKeys() {
  return <KeysPage />;
}

import { Account } from '@/components/account/account';

export default function SettingsAccount() {
  return <Account />;
}

import { Account } from '@/components/account/account';

export default function AccountPage() {
  return <Account />;
}

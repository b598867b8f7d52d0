import { NewPassword } from '@/components/account/new-password';

export default function NewPasswordPage() {
  return <NewPassword />;
}

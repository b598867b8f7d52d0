import { SignedOut } from '@/components/shell/signed-out';

export default function SignedOutPage() {
  return <SignedOut />;
}

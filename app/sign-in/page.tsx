import { SignIn } from '@/components/account/sign-in';

export default function SignInPage() {
  return <SignIn />;
}

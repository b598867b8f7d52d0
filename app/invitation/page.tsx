import { Invitation } from '@/components/account/invitation';

export default function InvitationPage() {
  return <Invitation />;
}

import { PeoplePage } from '@/components/settings/people/people-page';

export default function SettingsPeople() {
  return <PeoplePage />;
}

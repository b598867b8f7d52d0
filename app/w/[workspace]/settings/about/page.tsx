import { AboutPage } from '@/components/settings/about/about-page';

export default function SettingsAbout() {
  return <AboutPage />;
}

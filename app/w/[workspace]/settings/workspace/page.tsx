import { WorkspacePage } from '@/components/settings/workspace/workspace-page';

export default function SettingsWorkspace() {
  return <WorkspacePage />;
}

import { Wall } from '@/components/wall/wall';

export default function WallPage() {
  return <Wall />;
}

import { NotFound } from '@/components/shell/not-found';

export default function NotFoundPage() {
  return <NotFound />;
}

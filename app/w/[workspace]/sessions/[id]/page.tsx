import type { Metadata } from 'next';
import { Cockpit } from '@/components/cockpit/cockpit';

export const metadata: Metadata = { title: 'Session · Wheelhouse' };

/** The cockpit of one session. Contains no data: the page gets it over the socket. */
export default async function SessionPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <Cockpit key={id} id={decodeURIComponent(id)} />;
}

import { GuestPage } from '@/components/guest/guest-page';

/** What the guests of a share link see. Contains no data: the page gets it over the socket. */
export default async function SharedPage({ params }: { params: Promise<{ link: string }> }) {
  const { link } = await params;
  return <GuestPage link={decodeURIComponent(link)} />;
}

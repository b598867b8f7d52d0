import type { Metadata, Viewport } from 'next';
import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { LANGUAGE_TAGS, LOCALE_COOKIE, pickLocale } from '@/components/messages/locale';
import { Providers } from '@/components/shell/providers';
import './globals.css';

/** Titles are rendered by the pages themselves, in the reader's language. */
export const metadata: Metadata = {
  description: 'Watch the browsers that agents drive, take the wheel, hand it back.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#151519' },
  ],
};

/**
 * The root layout. It reads the request, so that each page renders per request: the nonce of the content security
 * policy must be fresh (AU6).
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [sent, jar] = await Promise.all([headers(), cookies()]);
  const locale = pickLocale(jar.get(LOCALE_COOKIE)?.value, sent.get('accept-language'));
  return (
    <html
      lang={LANGUAGE_TAGS[locale]}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        <Providers locale={locale} nonce={sent.get('x-nonce') ?? undefined}>
          {children}
        </Providers>
      </body>
    </html>
  );
}

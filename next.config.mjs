import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));

/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  turbopack: { root },
  outputFileTracingRoot: root,
  images: { unoptimized: true },
  serverExternalPackages: ['puppeteer-core', 'better-sqlite3', 'pino', 'ws'],
  // `npm run check` types the whole tree; a first start need not wait for that.
  typescript: { ignoreBuildErrors: true },
};

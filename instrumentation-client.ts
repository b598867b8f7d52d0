import { config } from 'zod';

/**
 * Runs in the page before anything else. zod compiles parsers with `new Function`, which our CSP forbids: the slower way
 * is quick enough here.
 */
config({ jitless: true });

import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of this program, which runs in its own directory. */
export function programVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8'))).version;
}

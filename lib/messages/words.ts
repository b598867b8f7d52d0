import { z } from 'zod';
import { cleanText } from '@/lib/text/clean';

/**
 * Most characters of one parameter: names, addresses, notes and page text are cut to it. The mark that says how much
 * was cut is added to that.
 */
const MOST = 400;
const CUT_MARK = 24;
/**
 * Cleans text that people, agents or pages wrote; the code that shows it isolates it (GU3). Parsing the result again
 * changes nothing.
 */
export const words = z
  .string()
  .transform((text) => cleanText(text, text.length > MOST + CUT_MARK ? MOST : MOST + CUT_MARK));

import { z } from 'zod';

/** After how long without use a session ends (SE1): two minutes to thirty days. Milliseconds. */
export const idleMsSchema = z
  .int()
  .min(120_000)
  .max(30 * 86_400_000);

import { z } from 'zod';
import { optionalMessageSchema } from '@/lib/messages/message';

/** What of an agent that lost the wheel still bears on a tab (CO3). */
export const inForceSchema = z.object({
  /** What it is: its scripts, an armed answer, or one of its settings. */
  kind: z.enum([
    'scripts',
    'dialog',
    'files',
    'offline',
    'headers',
    'credentials',
    'geolocation',
    'throttling',
    'emulation',
  ]),
  /**
   * `stopping`, `stopped`: of scripts. `aside`: out of force until the agent has the wheel again. `in-force`: it goes
   * on, or may; a reload ends what scripts began.
   */
  state: z.enum(['stopping', 'stopped', 'aside', 'in-force']),
  text: z.string(),
  /** `text` as data, for the languages of the interface. */
  said: optionalMessageSchema,
});
export type InForce = z.infer<typeof inForceSchema>;

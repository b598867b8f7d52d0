import { z } from 'zod';
import { optionalMessageSchema } from '@/lib/messages/message';

/** An effect of an agent that still applies to the tab after it lost the lease (CO3). */
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
   * `stopping`, `stopped`: state of scripts. `aside`: suspended until the agent has the lease again. `in-force`: still
   * active, or possibly so; a reload ends what scripts started.
   */
  state: z.enum(['stopping', 'stopped', 'aside', 'in-force']),
  text: z.string(),
  /** `text` as data, for the languages of the interface. */
  said: optionalMessageSchema,
});
export type InForce = z.infer<typeof inForceSchema>;

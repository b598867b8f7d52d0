import { z } from 'zod';
import { optionalMessageSchema } from '@/lib/messages/message';
import { actorSchema } from '@/lib/protocol/views';

/** What rows are about, for filters. */
export type LogKind = 'sign-in' | 'refusal' | 'account' | 'member' | 'invitation' | 'key' | 'access' | 'workspace';

/** One row of a workspace's log: sign-ins, refusals, and changes of people, keys, rights and policies. */
export const logRowSchema = z.object({
  /** Position in the log of the workspace; grows by one. */
  seq: z.int(),
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** A `LogKind`; a newer server may have others. */
  kind: z.string(),
  actor: actorSchema,
  door: z.enum(['ui', 'socket', 'http', 'server']),
  /** One line for people, names in it already cleaned and bounded. */
  text: z.string(),
  /** `text` as data; rows of a newer server may have none that is known. */
  said: optionalMessageSchema,
  /** The person, key, session or invitation that it is about. */
  about: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The address that the call came from. */
  address: z.string().optional(),
  outcome: z.enum(['ok', 'failed']),
});
export type LogRow = z.infer<typeof logRowSchema>;

/** Whether a row contains the words, ignoring case. */
export function fitsLog({ text, actor, about, kind, address = '' }: LogRow, search: string): boolean {
  const words = search.trim().toLocaleLowerCase();
  const all = `${text} ${actor.name} ${actor.id} ${about?.name ?? ''} ${about?.id ?? ''} ${kind} ${address}`;
  return words === '' || all.toLocaleLowerCase().includes(words);
}

import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';

const packedSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('json'), v: z.unknown() }),
  z.object({ t: z.literal('undefined') }),
  z.object({ t: z.literal('cyclic') }),
  z.object({ t: z.literal('oversize'), chars: z.number() }),
  z.object({ t: z.literal('threw'), name: z.string(), message: z.string(), stack: z.string() }),
]);

/**
 * Reads what the page packed. Returns the value (undefined when there is none).
 * Throws EVAL_THREW with name, message and stack, or EVAL_RESULT_UNSERIALIZABLE naming the limit.
 */
export function decodeResult(text: unknown, maxChars: number): unknown {
  const packed = packedSchema.safeParse(typeof text === 'string' ? JSON.parse(text) : text);
  if (!packed.success) throw new WheelhouseError('EVAL_RESULT_UNSERIALIZABLE', 'The page replaced what packs results; nothing readable came back.');
  switch (packed.data.t) {
    case 'json':
      return packed.data.v;
    case 'undefined':
      return undefined;
    case 'cyclic':
      throw new WheelhouseError('EVAL_RESULT_UNSERIALIZABLE', 'The result refers to itself, so it cannot be JSON.');
    case 'oversize':
      throw tooLarge(packed.data.chars, maxChars);
    case 'threw':
      throw threw(packed.data.name, packed.data.message, packed.data.stack);
  }
}

function tooLarge(chars: number, maxChars: number): WheelhouseError {
  const size = chars < 0 ? 'too large to be a string' : `${chars} characters`;
  return new WheelhouseError('EVAL_RESULT_UNSERIALIZABLE', `The result is ${size}; the limit is ${maxChars}.`, {
    hint: 'Return less, for example only the fields you need.',
    details: { chars, maxChars },
  });
}

export function threw(name: string, message: string, stack: string): WheelhouseError {
  return new WheelhouseError('EVAL_THREW', `The script threw ${name}: ${message}`, { details: { name, message, stack } });
}

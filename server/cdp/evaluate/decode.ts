import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { cleanText } from '@/lib/text/clean';
import { jsonOf } from '../script-result';

const MOST_PATH = 200;

const packedSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('json'), v: z.unknown() }),
  z.object({ t: z.literal('undefined') }),
  z.object({ t: z.literal('gone') }),
  z.object({ t: z.literal('cyclic'), path: z.string() }),
  z.object({ t: z.literal('oversize'), chars: z.number(), path: z.string().optional(), share: z.number().optional() }),
  z.object({ t: z.literal('threw'), name: z.string(), message: z.string(), stack: z.string() }),
]);

/**
 * Reads what the page packed. Returns the value (undefined when there is none). Throws EVAL_THREW with name, message
 * and stack, NODE_GONE when its element had left the document, or EVAL_RESULT_UNSERIALIZABLE naming the limit.
 */
export function decodeResult(text: unknown, maxChars: number): unknown {
  const packed = packedSchema.safeParse(typeof text === 'string' ? jsonOf(text) : text);
  if (!packed.success)
    throw new WheelhouseError(
      'EVAL_RESULT_UNSERIALIZABLE',
      'The page replaced the function that packs results, so its result cannot be read.',
    );
  switch (packed.data.t) {
    case 'json':
      return packed.data.v;
    case 'undefined':
      return undefined;
    case 'gone':
      throw new WheelhouseError('NODE_GONE', 'The element has left the document; the script was not run.');
    case 'cyclic':
      throw new WheelhouseError(
        'EVAL_RESULT_UNSERIALIZABLE',
        `The result refers to itself at ${cleanText(packed.data.path, MOST_PATH)}, so it cannot be JSON.`,
        { details: { path: packed.data.path } },
      );
    case 'oversize':
      throw tooLarge(packed.data, maxChars);
    case 'threw':
      throw threw(packed.data.name, packed.data.message, packed.data.stack);
  }
}

/** `path`: the place in the value that holds most of its size; `share`: its fraction of the whole. */
function tooLarge(
  { chars, path, share }: { chars: number; path?: string | undefined; share?: number | undefined },
  maxChars: number,
): WheelhouseError {
  const size = chars < 0 ? 'too large to be a string' : `${chars} characters`;
  const where = path === undefined || path === '$' ? '' : `, most of it at ${cleanText(path, MOST_PATH)}`;
  return new WheelhouseError('EVAL_RESULT_UNSERIALIZABLE', `The result is ${size}; the limit is ${maxChars}${where}.`, {
    hint: 'Return less, for example only the fields you need, or ask with returnMode "preview".',
    details: { chars, maxChars, ...(path !== undefined && { path }), ...(share !== undefined && { share }) },
  });
}

export function threw(name: string, message: string, stack: string): WheelhouseError {
  return new WheelhouseError('EVAL_THREW', `The script threw ${whatWas(name, message)}`, {
    details: { name, message, stack },
  });
}

/** Describes an error by name and message, and any other thrown value as it is. */
function whatWas(name: string, message: string): string {
  if (name === 'null' || name === 'undefined') return `${name}, not an Error.`;
  if (name === 'string') return `the text ${JSON.stringify(message)}, not an Error.`;
  if (/^(?:object|number|bigint|boolean|symbol|function)$/.test(name))
    return `${message.replace(/\s+/g, ' ')}, not an Error.`;
  return `${name}: ${message}`;
}

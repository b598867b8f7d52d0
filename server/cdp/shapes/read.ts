import type { z } from 'zod';
import type { AxNodeLike } from '@/lib/snapshot/ax-node';
import type { Command, EventName } from '../protocol';
import { ANSWER_SHAPES } from './answers';
import { EVENT_SHAPES } from './events';

/** Stands for a message whose shape does not match its schema. */
export const MALFORMED = Symbol('malformed');

/** An event or answer without a schema: it is reported, but none of its fields is passed on. */
export type Unread = object;
const UNREAD: Unread = Object.freeze({});

/** The answer to a command, with only the fields of its schema. */
export type Result<M extends Command> = M extends keyof typeof ANSWER_SHAPES
  ? z.output<(typeof ANSWER_SHAPES)[M]>
  : Unread;
/** The parameters of an event, with only the fields of its schema. */
export type EventParams<E extends EventName> = E extends keyof typeof EVENT_SHAPES
  ? z.output<(typeof EVENT_SHAPES)[E]>
  : Unread;

const events: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(EVENT_SHAPES));
const answers: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(ANSWER_SHAPES));

/** The parameters of an event, bounded. */
export function readEvent(method: string, params: unknown): unknown {
  return read(events.get(method), params);
}

/** The answer to a command, bounded; without a schema it has no fields. */
export function readAnswer(method: string, result: unknown): unknown {
  return read(answers.get(method), result);
}

/** The answer that is a long list of nodes; the parser has checked each node. */
export function readNodesAnswer(method: string, nodes: readonly AxNodeLike[]): unknown {
  return method.startsWith('Accessibility.') ? { nodes } : readAnswer(method, { nodes });
}

function read(shape: z.ZodType | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return MALFORMED;
  if (!shape) return UNREAD;
  try {
    const parsed = shape.safeParse(value);
    return parsed.success ? parsed.data : MALFORMED;
  } catch {
    // The value is nested so deep that parsing it ran out of stack.
    return MALFORMED;
  }
}

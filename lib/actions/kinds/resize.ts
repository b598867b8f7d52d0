import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

export const resize = defineKind({
  schema: z.strictObject({
    kind: z.literal('resize'),
    ...envelopeFields,
    width: z.int().min(1).max(8_192),
    height: z.int().min(1).max(8_192),
    /** Device pixels for each CSS pixel; 1 when left out. */
    deviceScaleFactor: z.number().min(0.25).max(4).optional(),
    /** Laid out as on a phone: `meta viewport` counts, text may be enlarged. */
    mobile: z.boolean().optional(),
  }),
  about: 'Set the size of the page for the whole session.',
  timeoutMs: 10_000,
  access: 'write',
  example: { kind: 'resize', width: 1280, height: 800 },
  changesSession: () => true,
  verbs: {
    resize:
      '{way, select, doing {{self, select, yes {are} other {is}} resizing} failed {could not resize} other {resized}} the page',
  },
  value: ({ width, height }) => `${width} × ${height}`,
  sentence: ({ width, height }) => `resize the page to ${width} × ${height}`,
  steps: {
    verbs: { resize: { usage: 'resize [1280] [800]', read } },
    print: ({ width, height }) => ({
      verb: 'resize',
      args: [`[${width}]`, `[${height}]`],
      said: ['width', 'height'],
    }),
  },
});

function read(args: ArgReader): void {
  readSize(args, 'width');
  readSize(args, 'height');
}

function readSize(args: ArgReader, field: 'width' | 'height'): void {
  if (args.isNamed(field)) return;
  const { text, at } = args.next(`the ${field}`);
  if (!/^\d{1,6}$/.test(text)) throw args.mistake(at, `the ${field} is a number of pixels`);
  args.set(field, Number(text), at);
}

import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printBrackets } from '@/lib/steps/brackets';
import { printOnElement, type Head } from '@/lib/steps/codec';
import { list } from '../phrases';
import { as, renamed } from '../rewrites';
import { checkTarget, envelopeFields, fileNameSchema, targetFields } from '../shared';
import { defineKind } from './kind';

const schema = z
  .strictObject({
    kind: z.literal('upload'),
    ...targetFields,
    ...envelopeFields,
    /** Names of files in the session's own folder. */
    paths: z.array(fileNameSchema).min(1).max(50),
  })
  .check(checkTarget('optional'));

/**
 * Without an element the files go to the open file chooser, else to the next one; at a point they are dropped (DI2).
 */
export const upload = defineKind({
  schema,
  about:
    'Give files of the session to a file field, or to the file chooser that is open or opens next; at a point, drop them there.',
  timeoutMs: 30_000,
  access: 'write',
  example: { kind: 'upload', ref: 'e12', paths: ['report.pdf'] },
  grant: () => 'files',
  verbs: {
    upload:
      '{way, select, doing {{self, select, yes {are} other {is}} uploading} failed {could not upload} other {uploaded}} {value}',
  },
  value: ({ paths }) => paths.slice(0, 5).join(', '),
  sentence: ({ paths }, { on }) => `upload ${list(paths)}${on === '' ? '' : ` into ${on}`}`,
  steps: {
    verbs: {
      upload: {
        usage: 'upload [12] [file.txt] [another.txt], or upload paths=["file.txt"] for the file chooser',
        read,
      },
    },
    print,
  },
  older: { 'hooks/file-chooser': renamed({ inputRef: 'ref' }, as('upload')) },
});

function read(args: ArgReader): void {
  if (args.left === 0 && args.isNamed('paths')) return;
  args.target();
  args.rest('paths', 'the name of a file');
}

/** Without an element the files are printed by name, because the first argument in brackets is read as an element. */
function print(action: z.output<typeof schema>): Head {
  if (action.ref === undefined) return { verb: 'upload', args: [], said: [] };
  return printOnElement('upload', action, action.paths.map(printBrackets), ['paths']);
}

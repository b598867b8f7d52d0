import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOnElement } from '@/lib/steps/codec';
import { as, renamed, type Rewrite } from '../rewrites';
import { checkTarget, envelopeFields, fileNameSchema, targetFields } from '../shared';
import { defineKind } from './kind';

const clicksOn: Rewrite = (fields) =>
  ['ref', 'role', 'selector'].some((name) => fields[name] !== undefined) ? { do: 'click', ...fields } : fields;

export const download = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('download'),
      ...targetFields,
      ...envelopeFields,
      do: z.enum(['wait', 'click']),
      /** Name to keep it under. */
      saveAs: fileNameSchema.optional(),
    })
    .check(checkTarget('optional-element'))
    .refine(
      ({ do: deed, ref, role, selector, node }) =>
        (deed === 'click') === ((ref ?? role ?? selector ?? node) !== undefined),
      { path: ['ref'], message: 'goes with "do": "click", which needs an element' },
    ),
  about: 'Wait for a download to be complete, after a click that begins it when asked.',
  timeoutMs: 60_000,
  access: 'write',
  example: { kind: 'download', do: 'click', ref: 'e12' },
  grant: () => 'files',
  quiet: ['downloadWait'],
  verbs: {
    download:
      '{way, select, doing {{self, select, yes {are} other {is}} waiting for a download} failed {got no download} other {got a download}}',
    downloadWait:
      '{way, select, doing {{self, select, yes {are} other {is}} waiting for a download} failed {got no download} other {got a download}}',
  },
  verb: ({ do: deed }) => (deed === 'wait' ? 'downloadWait' : 'download'),
  sentence: ({ do: deed }, { on }) => (deed === 'click' ? `download by ${on}` : 'wait for a download'),
  steps: {
    verbs: {
      download: { usage: 'download [12]', read },
      wait_download: { usage: 'wait_download', read: (args) => args.set('do', 'wait') },
    },
    print: (action) =>
      action.do === 'wait'
        ? { verb: 'wait_download', args: [], said: ['do'] }
        : printOnElement('download', action, [], ['do']),
  },
  older: {
    download: renamed({ path: 'saveAs' }, clicksOn),
    'wait/download': renamed({ path: 'saveAs' }, as('download', { do: 'wait' })),
  },
});

function read(args: ArgReader): void {
  args.set('do', 'click');
  args.target();
}

import { z } from 'zod';
import { printBrackets } from '@/lib/steps/brackets';
import { count, quote } from '../phrases';
import { inside } from '../rewrites';
import { envelopeFields } from '../shared';
import { defineGroup, type GroupParts, type Inner } from './group';

const schemaOf = <A extends Inner>({ actions, runScripts }: GroupParts<A>) =>
  z
    .strictObject({
      kind: z.literal('composite'),
      ...envelopeFields,
      label: z.string().min(1).max(120),
      actions,
      /** If one of the actions fails, undo the earlier ones by carrying out `rollback`. */
      atomic: z.boolean().optional(),
      rollback: actions.optional(),
      /** Values for `${name}` in the texts of its actions. */
      variables: z
        .record(z.string().regex(/^[A-Za-z_]\w{0,59}$/, 'is not a name: letters, digits and _'), z.string().max(10_000))
        .optional(),
    })
    .refine(({ atomic, rollback }) => (atomic === true) === (rollback !== undefined), {
      path: ['rollback'],
      message: 'goes with "atomic": true, and an atomic composite must say how it is undone',
    })
    .refine(({ rollback }) => !runScripts(rollback ?? []), { path: ['rollback'], message: 'may hold no script' });

export const composite = defineGroup(schemaOf, schemaOf<never>, {
  about: 'Do named actions with variables, undone again when one fails and it is atomic.',
  timeoutMs: 60_000,
  access: 'write',
  example: {
    kind: 'composite',
    label: 'log in',
    actions: [{ kind: 'type', ref: 'e12', text: '${user}' }],
    variables: { user: 'ada' },
  },
  quiet: ['composite'],
  verbs: {
    composite:
      '{way, select, doing {{self, select, yes {are} other {is}} doing} failed {could not do} other {did}} “{value}”',
  },
  value: ({ label }) => label,
  sentence: ({ label, actions }) => `${quote(label)} (${count(actions, 'action')})`,
  steps: {
    verbs: {
      composite: {
        usage: 'composite [name] actions=[{"kind":"click","ref":"e12"}]',
        read: (args) => args.text('label', 'the name'),
      },
    },
    print: ({ label }) => ({ verb: 'composite', args: [printBrackets(label)], said: ['label'] }),
  },
  older: { composite: inside('actions', 'rollback') },
});

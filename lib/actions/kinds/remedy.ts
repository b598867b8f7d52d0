import { z } from 'zod';
import { printDo } from '@/lib/steps/codec';
import { envelopeFields } from '../shared';
import { defineKind } from './kind';

const REMEDIES = [
  'stop-script',
  'resume',
  'stop-loading',
  'reload',
  'blank',
  'restart',
  'reopen',
  'answer-dialog',
] as const;

const WORD = {
  'stop-script': 'stopScript',
  resume: 'resume',
  'stop-loading': 'stopLoading',
  reload: 'reload',
  blank: 'blankPage',
  restart: 'restart',
  reopen: 'reopen',
} as const;
const SENTENCE = {
  'stop-script': 'stop the running script',
  resume: 'let the paused page go on',
  'stop-loading': 'stop loading',
  reload: 'reload the page',
  blank: 'open a blank page',
  restart: 'restart the tab',
  reopen: 'open the page again that was put aside',
} as const;

/**
 * Frees a stuck tab (EV4, CO9). The holder may use it, and a person also while an agent or nobody holds the lease; the
 * lease does not change.
 */
export const remedy = defineKind({
  schema: z
    .strictObject({
      kind: z.literal('remedy'),
      ...envelopeFields,
      do: z.enum(REMEDIES),
      dialogId: z.string().max(60).optional(),
      accept: z.boolean().optional(),
      promptText: z.string().max(10_000).optional(),
    })
    .refine((action) => action.do !== 'answer-dialog' || action.accept !== undefined, {
      path: ['accept'],
      message: 'is missing: true presses OK, false presses Cancel',
    }),
  about:
    'Free a tab that is stuck: stop its script, resume it, stop loading, reload, blank page, restart it, or answer its dialog.',
  timeoutMs: 15_000,
  access: 'remedy',
  example: { kind: 'remedy', do: 'stop-script' },
  verbs: {
    stopScript:
      '{way, select, doing {{self, select, yes {are} other {is}} stopping} failed {could not stop} other {stopped}} the script',
    resume:
      '{way, select, doing {{self, select, yes {are} other {is}} letting the page go on} failed {could not let the page go on} other {let the page go on}}',
    stopLoading:
      '{way, select, doing {{self, select, yes {are} other {is}} stopping} failed {could not stop} other {stopped}} the loading',
    reload:
      '{way, select, doing {{self, select, yes {are} other {is}} reloading} failed {could not reload} other {reloaded}} the page',
    blankPage:
      '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} a blank page',
    restart:
      '{way, select, doing {{self, select, yes {are} other {is}} restarting} failed {could not restart} other {restarted}} the tab',
    reopen:
      '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} the page again that was put aside',
    dialogAccept:
      '{way, select, doing {{self, select, yes {are} other {is}} answering} failed {could not answer} other {answered}} the dialog with OK',
    dialogDismiss:
      '{way, select, doing {{self, select, yes {are} other {is}} answering} failed {could not answer} other {answered}} the dialog with Cancel',
  },
  verb: ({ do: deed, accept }) => {
    if (deed !== 'answer-dialog') return WORD[deed];
    return accept === true ? 'dialogAccept' : 'dialogDismiss';
  },
  sentence: ({ do: deed, accept }) =>
    deed === 'answer-dialog' ? `${accept === true ? 'accept' : 'dismiss'} the dialog` : SENTENCE[deed],
  steps: {
    verbs: {
      remedy: {
        usage: 'remedy [stop-script|resume|stop-loading|reload|blank|restart|reopen]',
        read: (args) => args.text('do', 'the remedy'),
      },
    },
    print: (action) => printDo('remedy', action),
  },
});

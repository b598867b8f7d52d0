import { z } from 'zod';
import type { ArgReader } from '@/lib/steps/arg-reader';
import { printOptional, type Head } from '@/lib/steps/codec';
import { clean } from '../phrases';
import { as, renamed } from '../rewrites';
import { envelopeFields, urlSchema } from '../shared';
import { defineKind } from './kind';

/** A name for a tab. `active` and tab ids such as `t3` are refused, because the name would hide that tab (SE2). */
export const tabLabelSchema = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u, 'may hold letters, digits, spaces and _ . -')
  .refine((label) => !/^(active|t\d+)$/i.test(label.trim()), 'is a name that tabs have by themselves');

const schema = z
  .strictObject({
    kind: z.literal('tab'),
    ...envelopeFields,
    do: z.enum(['open', 'focus', 'close', 'label', 'list']),
    url: urlSchema.optional(),
    index: z.int().min(0).max(1_000).optional(),
    label: tabLabelSchema.optional(),
  })
  .refine((action) => action.do !== 'label' || action.label !== undefined, {
    path: ['label'],
    message: 'is missing: give the name for the tab',
  });

const WORD = { open: 'tabOpen', close: 'tabClose', focus: 'tabFocus', label: 'tabLabel', list: 'tabList' } as const;

export const tab = defineKind({
  schema,
  about: 'Open, focus, close, label or list tabs.',
  timeoutMs: 15_000,
  access: 'write',
  example: { kind: 'tab', do: 'open', url: 'https://example.com/' },
  reads: ['tabList'],
  apartFromPage: true,
  tabIsObject: true,
  changesSession: ({ do: deed }) => deed === 'open',
  verbs: {
    tabOpen:
      '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} a tab',
    tabClose:
      '{way, select, doing {{self, select, yes {are} other {is}} closing} failed {could not close} other {closed}} the tab',
    tabFocus:
      '{way, select, doing {{self, select, yes {are} other {is}} going} failed {could not go} other {went}} to the tab',
    tabLabel:
      '{way, select, doing {{self, select, yes {are} other {is}} naming} failed {could not name} other {named}} the tab',
    tabList:
      '{way, select, doing {{self, select, yes {are} other {is}} listing} failed {could not list} other {listed}} the tabs',
    newTab:
      '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} {place} in a new tab',
  },
  verbsWithValue: {
    tabLabel:
      '{way, select, doing {{self, select, yes {are} other {is}} naming} failed {could not name} other {named}} the tab “{value}”',
  },
  verb: ({ do: deed, url }) => (deed === 'open' && url !== undefined ? 'newTab' : WORD[deed]),
  value: ({ label }) => label,
  address: ({ url }) => url,
  sentence: ({ do: deed, url }) => (url === undefined ? `${deed} tab` : `open ${clean(url)} in a new tab`),
  steps: {
    verbs: {
      new_tab: { usage: 'new_tab, or new_tab [https://example.com]', read: readOpen },
      tab_focus: {
        usage: 'tab_focus [0], where 0 is the first tab; or tab_focus [t2], by id or label',
        read: (args) => readWhich(args, 'focus'),
      },
      close_tab: {
        usage: 'close_tab, or close_tab [0], where 0 is the first tab',
        read: (args) => readWhich(args, 'close'),
      },
      label_tab: { usage: 'label_tab [name]', read: readLabel },
      list_tabs: { usage: 'list_tabs', read: (args) => args.set('do', 'list') },
    },
    aliases: { page_focus: 'tab_focus', page_close: 'close_tab' },
    print,
  },
  older: {
    close: as('tab', { do: 'close' }),
    'tabs/open': as('tab', { do: 'open' }),
    'tabs/new': as('tab', { do: 'open' }),
    'tabs/focus': as('tab', { do: 'focus' }),
    'tabs/close': as('tab', { do: 'close' }),
    'tabs/list': as('tab', { do: 'list' }),
    new_tab: as('tab', { do: 'open' }),
    tab_focus: as('tab', { do: 'focus' }),
    open_tab: as('tab', { do: 'open' }),
    switch_tab: renamed({ page_id: 'index' }, as('tab', { do: 'focus' })),
    close_tab: renamed({ page_id: 'index' }, as('tab', { do: 'close' })),
  },
});

function readOpen(args: ArgReader): void {
  args.set('do', 'open');
  if (args.left > 0) args.text('url', 'the address');
}

function readWhich(args: ArgReader, deed: 'focus' | 'close'): void {
  args.set('do', deed);
  if (args.left === 0) return;
  const { text, at } = args.next('the tab');
  if (/^\d+$/.test(text)) args.set('index', Number(text), at);
  else args.set('tab', text, at);
}

function readLabel(args: ArgReader): void {
  args.set('do', 'label');
  args.text('label', 'the label');
}

function print({ do: deed, url, index, label }: z.output<typeof schema>): Head {
  switch (deed) {
    case 'open':
      return { verb: 'new_tab', args: printOptional(url), said: ['do', 'url'] };
    case 'focus':
    case 'close': {
      const verb = deed === 'focus' ? 'tab_focus' : 'close_tab';
      return { verb, args: index === undefined ? [] : [`[${index}]`], said: ['do', 'index'] };
    }
    case 'label':
      return { verb: 'label_tab', args: printOptional(label), said: ['do', 'label'] };
    case 'list':
      return { verb: 'list_tabs', args: [], said: ['do'] };
  }
}

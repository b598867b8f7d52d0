import { z } from 'zod';
import { timelineEventSchema } from '@/lib/protocol/views';
import { ACTION_PICTURES } from '@/server/features/action-pictures/action-pictures';
import { FEW_ROWS, JSON_LINES, rowFilter, sessionParams } from '../fields';
import { defineRoute, noBody, nothing, type Route } from '../route';

const publicKeySchema = z.object({ algorithm: z.literal('ed25519'), key: z.string(), fingerprint: z.string() });

export const timelineRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/timeline',
    about:
      'What happened, in order: the newest rows, those before `before`, or those after `since`; `q` finds words in texts, names, addresses and codes. As `format=jsonl` without filters it is the whole timeline with the proof that wheelhouse-verify checks.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams,
    query: z.strictObject({
      ...rowFilter,
      format: z.enum(['json', 'jsonl']).optional(),
    }),
    body: noBody,
    answer: z.array(timelineEventSchema),
    run: async (call) => {
      const { session } = call;
      const { format, limit, q: search, ...filter } = call.query;
      if (format === 'jsonl' && limit === undefined && search === undefined && Object.keys(filter).length === 0)
        return { status: 200, lines: session.timeline.exportLines(), type: JSON_LINES };
      const wanted = { ...filter, limit: limit ?? FEW_ROWS };
      const events = await (search === undefined
        ? session.timeline.events(wanted)
        : session.timeline.search(call.budget, { ...wanted, search }));
      if (format !== 'jsonl') return { status: 200, json: events };
      return { status: 200, text: events.map((event) => `${JSON.stringify(event)}\n`).join(''), type: JSON_LINES };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/timeline/:id/picture',
    about:
      'What the tab showed when the action had ended: the JPEG of a row that says `picture`, whose SHA-256 stands there.',
    grant: 'watch',
    thing: 'session',
    params: sessionParams.extend({ id: z.string().min(1).max(200) }),
    query: nothing,
    body: noBody,
    answer: { media: 'image/jpeg' },
    run: async (call) => ({
      status: 200,
      bytes: await ACTION_PICTURES.of(call.session).read(call.params.id),
      type: 'image/jpeg',
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/timeline/key',
    about:
      'The public key that timelines are signed with. Keep it elsewhere: an export is then checked without trusting who hands it over.',
    grant: 'watch',
    thing: 'workspace',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: publicKeySchema,
    run: ({ services }) => Promise.resolve({ status: 200, json: services.store.timelineKey() }),
  }),
];

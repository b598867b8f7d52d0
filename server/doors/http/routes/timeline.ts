import { z } from 'zod';
import { timelineEventSchema } from '@/lib/protocol/views';
import { count, sessionParams } from '../fields';
import { defineRoute, noBody, nothing, type Route } from '../route';
import { sessionOf } from './sessions';

const publicKeySchema = z.object({ algorithm: z.literal('ed25519'), key: z.string(), fingerprint: z.string() });

/** Rows of an answer when nobody says how many. */
const FEW = 500;
const LINES = 'application/x-ndjson';

export const timelineRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:s/timeline',
    about: 'What happened, in order: the newest rows, or those after `since`. As `format=jsonl` without filters it is the whole timeline with the proof that wheelhouse-verify checks.',
    grant: 'watch',
    params: sessionParams,
    query: z.strictObject({
      since: count(1_000_000_000).optional(),
      actor: z.string().max(200).optional(),
      kind: z.string().max(60).optional(),
      limit: count(10_000).optional(),
      format: z.enum(['json', 'jsonl']).optional(),
    }),
    body: noBody,
    answer: z.array(timelineEventSchema),
    run: async (call) => {
      const session = sessionOf(call, call.params.s);
      const { format, limit, ...filter } = call.query;
      if (format === 'jsonl' && limit === undefined && Object.keys(filter).length === 0) return { status: 200, lines: session.timeline.exportLines(), type: LINES };
      const events = await session.timeline.events({ ...filter, limit: limit ?? FEW });
      if (format !== 'jsonl') return { status: 200, json: events };
      return { status: 200, text: events.map((event) => `${JSON.stringify(event)}\n`).join(''), type: LINES };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/timeline/key',
    about: 'The public key that timelines are signed with. Keep it elsewhere: an export is then checked without trusting who hands it over.',
    grant: 'watch',
    params: nothing,
    query: nothing,
    body: noBody,
    answer: publicKeySchema,
    run: ({ services }) => Promise.resolve({ status: 200, json: services.store.timelineKey() }),
  }),
];

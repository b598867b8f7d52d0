import { FILES } from '@/server/features/files/file-transfers';
import { z } from 'zod';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { WheelhouseError } from '@/lib/errors/error';
import { downloadSchema, fileSchema } from '@/lib/files/views';
import { sessionParams } from '../fields';
import { defineGuestRoute, defineRoute, noBody, nothing, type Route } from '../route';
import { actorOf } from '@/server/session/participants';

const path = '/api/v1/sessions/:s/files';
const downloadsPath = '/api/v1/sessions/:s/downloads';
const fileParams = sessionParams.extend({ name: z.string().min(1).max(1_000) });
const content = z.instanceof(ReadableStream<Uint8Array>, { error: 'is missing: send the content of the file' });

/** Routes for the files of a session (DI2), uploads and downloads. Content always goes out as an attachment (T13). */
export const fileRoutes: readonly Route[] = [
  defineGuestRoute({
    method: 'GET',
    path,
    about: 'The files of a session: what its pages downloaded and what was put there to be uploaded.',
    grant: 'files',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: z.array(fileSchema),
    run: async ({ session, caller }) => ({ status: 200, json: FILES.of(session).shownTo(caller.principal).list() }),
  }),
  defineGuestRoute({
    method: 'GET',
    path: `${path}/:name`,
    about: 'One file, as an attachment.',
    grant: 'files',
    thing: 'file',
    params: fileParams,
    query: nothing,
    body: noBody,
    answer: { media: 'application/octet-stream' },
    timeoutMs: BUDGET_LIMITS.transferMs,
    run: async ({ session, file: name, caller }) => {
      const { view, content: file } = await FILES.of(session).shownTo(caller.principal).open(name);
      return { status: 200, file, name: view.name, size: view.size };
    },
  }),
  defineGuestRoute({
    method: 'PUT',
    path: `${path}/:name`,
    about: 'Adds a file, its content as the body. One that is there already is never written over.',
    grant: 'files',
    thing: 'file',
    params: fileParams,
    query: nothing,
    body: content,
    streams: true,
    answer: fileSchema,
    success: 201,
    timeoutMs: BUDGET_LIMITS.transferMs,
    run: async (call) => {
      const { session } = call;
      const added = await call.budget.during('the file', () =>
        FILES.of(session).sessionFiles.put(call.file, until(call.signal, call.body), actorOf(call.caller.principal)),
      );
      await session.timeline.tell({
        kind: 'files',
        said: { code: 'fileAdded', name: added.name },
        actor: actorOf(call.caller.principal),
        door: call.caller.door,
      });
      return { status: 201, json: added };
    },
  }),
  defineGuestRoute({
    method: 'DELETE',
    path: `${path}/:name`,
    about:
      'Deletes a file of a session: who put it there may, who has the wheel (not by a share link), and who manages the server.',
    grant: 'files',
    thing: 'file',
    own: 'The file',
    params: fileParams,
    query: nothing,
    body: noBody,
    answer: z.object({ ok: z.literal(true) }),
    run: async ({ session, file, caller }) => {
      await FILES.of(session).sessionFiles.remove(file);
      await session.timeline.tell({
        kind: 'files',
        said: { code: 'fileRemoved', name: file },
        actor: actorOf(caller.principal),
        door: caller.door,
      });
      return { status: 200, json: { ok: true } };
    },
  }),
  defineGuestRoute({
    method: 'GET',
    path: downloadsPath,
    about: 'The latest downloads of a session: going on, done, failed.',
    grant: 'files',
    thing: 'session',
    params: sessionParams,
    query: nothing,
    body: noBody,
    answer: z.array(downloadSchema),
    run: async ({ session, caller }) => ({
      status: 200,
      json: FILES.of(session).shownTo(caller.principal).downloads(),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${downloadsPath}/:id`,
    about: 'Cancels a download that goes on; takes one that has ended off the list, its file stays.',
    grant: 'files',
    thing: 'download',
    own: 'The download',
    params: sessionParams.extend({ id: z.string().min(1).max(40) }),
    query: nothing,
    body: noBody,
    answer: z.object({ ok: z.literal(true) }),
    run: async ({ session, download, caller }) => {
      FILES.of(session).dropDownload(caller, download);
      return { status: 200, json: { ok: true } };
    },
  }),
];

/** The body until `signal` aborts, which throws, so that the store never keeps half a file. */
async function* until(signal: AbortSignal, body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (signal.aborted) throw new WheelhouseError('ABORTED', 'The client went away.');
    yield chunk;
  }
}

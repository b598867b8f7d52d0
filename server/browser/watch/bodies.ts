import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Body } from '@/lib/buffers/entries';
import { CdpError, MalformedAnswer } from '@/server/cdp/protocol';
import type { RequestLog } from './request-log';

/** Largest body that is read: it comes through the events lane in one piece. Bytes. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The response body of a request (PS2), read from Chrome and never kept. Throws NOT_FOUND when Chrome no longer has it,
 * CONFLICT while the request is pending, TOO_LARGE. Source: Network.getResponseBody.
 */
export async function responseBody(budget: Budget, log: RequestLog, id: number): Promise<Body> {
  const entry = log.ring.get(id);
  const origin = originOf(log, id);
  if (entry?.state === 'pending')
    throw new WheelhouseError('CONFLICT', `Request ${id} has not ended yet.`, {
      hint: 'Ask again when its state is "done".',
    });
  checkSize(entry?.bodySize ?? 0);
  const { body, base64Encoded } = await asked(
    id,
    budget.during('the body of a response', () =>
      origin.session.send('Network.getResponseBody', { requestId: origin.requestId }),
    ),
  );
  return { id, of: 'response', mimeType: entry?.mimeType ?? '', body, base64: base64Encoded };
}

/** The body that the page sent. Source: Network.getRequestPostData. */
export async function requestBody(budget: Budget, log: RequestLog, id: number): Promise<Body> {
  const origin = originOf(log, id);
  const entry = log.ring.get(id);
  if (entry?.sentBody !== true) throw new WheelhouseError('NOT_FOUND', `Request ${id} carried no body.`);
  const { postData, base64Encoded } = await asked(
    id,
    budget.during('the body of a request', () =>
      origin.session.send('Network.getRequestPostData', { requestId: origin.requestId }),
    ),
  );
  checkSize(postData.length);
  const mimeType = entry.requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  return { id, of: 'request', mimeType, body: postData, base64: base64Encoded };
}

function originOf(log: RequestLog, id: number): NonNullable<ReturnType<RequestLog['originOf']>> {
  const origin = log.originOf(id);
  if (origin) return origin;
  throw new WheelhouseError('NOT_FOUND', `There is no body for request ${id}.`, {
    hint: 'List them: GET …/requests. The last 500 are kept; one that was sent on has none.',
  });
}

/** Turns Chrome's error into NOT_FOUND: Chrome drops bodies at a navigation and when there are too many. */
async function asked<T>(id: number, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CdpError) || error instanceof MalformedAnswer) throw error;
    throw new WheelhouseError('NOT_FOUND', `Chrome does not have the body of request ${id} any more.`, {
      hint: 'Read bodies before the page goes on to another address.',
      cause: error,
    });
  }
}

function checkSize(bytes: number): void {
  if (bytes > MOST_BYTES)
    throw new WheelhouseError('TOO_LARGE', `That body has ${bytes} bytes; at most ${MOST_BYTES} are given.`, {
      details: { bytes, limit: MOST_BYTES },
    });
}

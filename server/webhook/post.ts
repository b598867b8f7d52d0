import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Budget } from '@/lib/budget/budget';
import { checkAddress, checkedLookup } from './dial';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one POST and returns the status of its answer; the body is not read. Redirects are not followed. Rejects with
 * the reason why there was no answer, or with the reason that ended the budget.
 */
export function post(budget: Budget, { url, headers, body }: Post): Promise<number> {
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return budget.race(
    new Promise<number>((resolve, reject) => {
      // Node does not call the look-up for IP addresses.
      if (isIP(host) !== 0) checkAddress(host);
      const length = String(Buffer.byteLength(body));
      const call = send(
        url,
        {
          method: 'POST',
          agent: false,
          lookup: checkedLookup,
          signal: budget.signal,
          headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
        },
        (response) => {
          resolve(response.statusCode ?? 0);
          response.destroy();
        },
      );
      call.on('error', reject);
      call.end(body);
    }),
  );
}

import { startCanary } from '@/server/testing/canary';
import { SPELLINGS } from '@/server/testing/spellings';
import { asking, VECTOR_NAMES } from '@/server/testing/vectors';
import { startWeb, type WebPage } from '@/server/testing/web';
import type { Campaign } from './campaign';

const redirect: WebPage = ({ url = '/' }, response) =>
  void response.writeHead(302, { location: encodeURI(new URL(url, 'http://x').searchParams.get('to') ?? '/') }).end();

/**
 * GU1, T2: a page requests a debugging port in each possible way, with one spelling of this machine per round; a canary
 * counts connections at the socket.
 */
export const waysOut: Campaign = {
  id: 'GU1',
  about: 'debugging ports: reached in no way and no spelling',
  full: SPELLINGS.length,
  round: async (ground, _random, index) => {
    const spelling = SPELLINGS[index % SPELLINGS.length] ?? '';
    const [canary, web] = await Promise.all([
      startCanary(),
      startWeb({ '/': '<h1>Ways out</h1>', '/redirect': redirect }),
    ]);
    const { egress } = ground.server.running.services;
    const open = egress.debugPort('localhost', canary.port);
    let denials = 0;
    const off = egress.onDenied(({ port }) => (denials += Number(port === canary.port)));
    try {
      const { id } = await ground.server.session(`${web.origin}/`);
      for (const vector of VECTOR_NAMES)
        await ground.act(id, {
          kind: 'evaluate',
          fn: asking(vector, `http://${spelling}:${canary.port}/`, web.origin),
        });
      const marker = await ground.act(id, { kind: 'evaluate', fn: "() => fetch('/').then(({ status }) => status)" });
      ground.count('ways tried', VECTOR_NAMES.length);
      ground.count('denials told', denials);
      await ground.server.api('DELETE', `/api/v1/sessions/${id}`);
      if (marker.value !== 200) return `the fixture was not reached beside ${spelling}: ${JSON.stringify(marker)}`;
      if (denials === 0) return `nothing was asked of ${spelling}`;
      return canary.hits() === 0 ? undefined : `${spelling} was reached ${canary.hits()} times`;
    } finally {
      off();
      open();
      canary.close();
      web.close();
    }
  },
};

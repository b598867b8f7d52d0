import { describe, expect, it } from 'vitest';
import { useStand } from '@/server/testing/stand';

/** A page with a frame that asks for a name. */
const stand = useStand({
  '/': '<title>Login</title><iframe src="/inner"></iframe>',
  '/inner': (request, response) => {
    const named = request.headers.authorization === `Basic ${Buffer.from('lin:geheim').toString('base64')}`;
    response
      .writeHead(named ? 200 : 401, {
        'content-type': 'text/html',
        ...(named ? {} : { 'www-authenticate': 'Basic realm="inner"' }),
      })
      .end(named ? '<p>Welcome, lin</p>' : '<p>Who is there?</p>');
  },
});

describe('HTTP credentials', () => {
  it('[PS4] are given to a frame of the page as well, when they are for its origin', async () => {
    const session = await stand.open();
    await stand.server.act(session, {
      kind: 'emulate',
      do: 'set',
      set: { credentials: { username: 'lin', password: 'geheim', origin: stand.site } },
    });
    await stand.server.act(session, { kind: 'history', go: 'reload' });
    const reply = await stand.server.act(session, { kind: 'wait', text: 'Welcome, lin', timeoutMs: 15_000 });

    expect(reply).toMatchObject({ ok: true });
  }, 40_000);
});

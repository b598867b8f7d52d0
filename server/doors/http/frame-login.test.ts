import { describe, expect, it } from 'vitest';
import { useServerFixture } from '@/server/testing/server-fixture';

/** A page with a frame that asks for a name. */
const fixture = useServerFixture({
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
    const session = await fixture.open();
    await fixture.server.act(session, {
      kind: 'emulate',
      do: 'set',
      set: { credentials: { username: 'lin', password: 'geheim', origin: fixture.site } },
    });
    await fixture.server.act(session, { kind: 'history', go: 'reload' });
    const reply = await fixture.server.act(session, { kind: 'wait', text: 'Welcome, lin', timeoutMs: 15_000 });

    expect(reply).toMatchObject({ ok: true });
  }, 40_000);
});

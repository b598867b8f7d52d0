import { expect, it } from 'vitest';
import { driving, PRIVATE_PAGE, soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture({ '/bank/sign-in': PRIVATE_PAGE.replace('<title>Calm', '<title>Harbour Bank') });
const TOLD = /Harbour Bank|bank\/sign-in/;

it('[CO8] the title and address from before a private hold leave the lists while it lasts, and are there for its holder', async () => {
  const { id, person, hold } = await driving(fixture, '/bank/sign-in');
  await soon(() => fixture.inside(id).registry.find('t1').tab.title === 'Harbour Bank');
  await hold();
  const others = fixture.agent('other');
  const joined = await ask(others, 'session.join', { session: id });
  const wall = await ask(others, 'wall.watch', {});
  const listed = await Promise.all(
    ['', `/${id}`, `/${id}/tabs`].map(
      async (path) => (await fixture.server.api('GET', `/api/v1/sessions${path}`)).body,
    ),
  );
  const mine = await ask(person, 'session.join', { session: id });
  expect(JSON.stringify([joined.ok && joined.data.session, wall, listed])).not.toMatch(TOLD);
  expect(JSON.stringify(mine.ok && mine.data.session.tabs)).toMatch(TOLD);
  await hold({ private: false });
  await soon(async () => TOLD.test(JSON.stringify((await fixture.server.api('GET', `/api/v1/sessions/${id}`)).body)));
});

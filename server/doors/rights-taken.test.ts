import { describe, expect, it } from 'vitest';
import { ask } from '@/server/testing/socket-client';
import { signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';

/** What is under way when rights are taken away (AU3, T9). */

const fixture = useServerFixture('<!doctype html><title>Shared</title><button>Press</button>');

describe('a member', () => {
  it('[T9][AU3] whose role is lowered: a call in flight ends, pictures go on; with the session closed to them they end, and open again it is back on the wall', async () => {
    const { server } = fixture;
    const { access } = server.running.services;
    const id = await fixture.open();
    await fixture.control(id, { do: 'take' });
    const { headers, ...member } = await signedInPerson(server, 'member');
    const role = (is: 'member' | 'viewer') =>
      access.rights.apply({ kind: 'member', workspace: member.workspace, person: member.id, role: is });
    const client = fixture.connect({ headers });
    await ask(client, 'wall.watch', {});
    await ask(client, 'session.join', { session: id });
    const opened = await ask(client, 'stream.open', { session: id, tab: 'active', tier: 'standard' });
    const control = `${server.origin}/api/v1/sessions/${id}/tabs/t1/control`;
    const poll = fetch(`${control}/wait?timeoutMs=60000`, { headers });
    // This call is handled after the one that was sent before it.
    await fetch(control, { headers });
    role('viewer');
    const ended = await poll;
    const still = await ask(client, 'stream.close', { stream: 'v1' });
    const gone = new Promise((resolve) => client.once('session.gone', resolve));
    const open = access.rights.access(id);
    if (!open) throw new Error('The session is there.');
    access.rights.apply({ kind: 'session', access: { ...open, open: 'named' } });
    const reason = await gone;
    const back = new Promise((resolve) => client.once('session.state', (view) => resolve(view.id)));
    access.rights.apply({ kind: 'session', access: open });

    expect([opened.ok, still.ok, ended.status]).toEqual([true, true, 403]);
    expect(await ended.json()).toMatchObject({ error: { code: 'FORBIDDEN', details: { grant: 'drive' } } });
    expect(reason).toMatchObject({ id, reason: 'You may not see this session any more.' });
    expect(await back).toBe(id);
  }, 20_000);
});

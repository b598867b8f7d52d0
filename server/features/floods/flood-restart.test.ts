import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sessionSchema, type SessionView } from '@/lib/protocol/views';
import { commandOf, groupOfProcess } from '@/server/browser/process-id';
import { FLOOD_PAGES, quickLimits } from '@/server/testing/floods';
import { soon } from '@/server/testing/private-page';
import type { TestServer } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture(FLOOD_PAGES, { shared: true, floods: quickLimits() });

async function view(server: TestServer, id: string): Promise<SessionView> {
  return sessionSchema.parse((await server.api('GET', `/api/v1/sessions/${id}`)).body);
}

/** The renderers of the only Chrome of a server. */
async function renderersOf({ running: { services } }: TestServer): Promise<number[]> {
  const [record] = await services.store.browsers.listOpen(services.access.owner.workspace);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && groupOfProcess(pid) === record?.pid && commandOf(pid).includes('--type=renderer'));
}

describe.runIf(process.platform === 'linux')('after a restart of the server', () => {
  it('[AC6] renderers that were stopped go on, and a page that was put aside can be opened again', async () => {
    const { server: first } = fixture;
    const calm = (await first.session(`${fixture.site}/calm`)).id;
    const { id } = await first.session(`${fixture.site}/fetches`);
    await soon(async () => (await view(first, id)).tabs[0]?.stuck?.said?.code === 'floodParked');
    const renderers = await renderersOf(first);
    // As one that was killed between stopping a renderer and letting it go on.
    await fixture.restart(() => renderers.forEach((pid) => process.kill(pid, 'SIGSTOP')));

    const { server: second } = fixture;
    const clicked = await second.act(calm, { kind: 'click', selector: '#b' });
    await soon(async () => (await view(second, id)).tabs[0]?.stuck?.said?.code === 'floodParked');
    const reopened = await second.act(id, { kind: 'remedy', do: 'reopen' });

    expect(renderers.length).toBeGreaterThan(0);
    expect(clicked.ok).toBe(true);
    expect(reopened.value).toEqual({ url: `${fixture.site}/fetches` });
  }, 90_000);
});

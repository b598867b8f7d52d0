import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { replySchema } from '@/lib/actions/reply';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture(
  '<title>Clipboard</title><input id="from" value="apple"><input id="to"><p id="words">Words of the page</p>',
);

const press = (selector: string, ...keys: string[]): object => ({ kind: 'press', selector, keys });

describe('the clipboard of a session', () => {
  it('[SE6] two sessions of one Chrome have one each: by keys, and by the action', async () => {
    const { server } = fixture;
    const [one, other] = [await fixture.open(), await fixture.open()];
    await server.act(one, press('#from', 'Control+A', 'Control+C'));
    await server.act(other, press('#to', 'Control+V'));
    const got = await server.act(one, { kind: 'clipboard', do: 'get' });
    const empty = await server.act(other, { kind: 'clipboard', do: 'get' });
    await server.act(other, { kind: 'clipboard', do: 'set', text: 'pear' });
    await server.act(other, press('#to', 'Control+V'));
    await server.act(one, press('#to', 'Control+V'));
    const values = await Promise.all(
      [one, other].map(
        async (session) =>
          (await server.act(session, { kind: 'evaluate', fn: '() => document.querySelector("#to").value' })).value,
      ),
    );

    expect([got.value, empty.value, values]).toEqual([
      { scope: 'session', text: 'apple' },
      { scope: 'session', text: '' },
      ['apple', 'pear'],
    ]);
  });

  it("[SE6] no page reads text that another session's page copied to Chrome's clipboard", async () => {
    const { server } = fixture;
    const [one, other] = [await fixture.open(), await fixture.open()];
    const copied = await server.act(one, {
      kind: 'evaluate',
      fn: '() => { document.querySelector("#from").select(); return document.execCommand("copy"); }',
    });
    const read =
      '() => Promise.all([navigator.permissions.query({ name: "clipboard-read" }).then(({ state }) => state), navigator.clipboard.readText().then(() => "read", ({ name }) => name), document.execCommand("paste")])';
    const tried = await server.act(other, { kind: 'evaluate', fn: read });
    await server.act(other, press('#to', 'Control+V'));
    const pasted = await server.act(other, { kind: 'evaluate', fn: 'document.querySelector("#to").value' });

    expect([copied.value, tried.value, pasted.value]).toEqual([true, ['denied', 'NotAllowedError', false], '']);
  });

  it('[SE6] the true key copies the selection of a page without a field, once', async () => {
    const { server } = fixture;
    const session = await fixture.open();
    await server.act(session, {
      kind: 'evaluate',
      fn: '() => { window.copies = 0; addEventListener("copy", () => copies++); getSelection().selectAllChildren(document.querySelector("#words")); }',
    });
    await server.act(session, { kind: 'press', key: 'Control+C' });
    const copies = await server.act(session, { kind: 'evaluate', fn: '() => copies' });

    expect([(await server.act(session, { kind: 'clipboard', do: 'get' })).value, copies.value]).toEqual([
      { scope: 'session', text: 'Words of the page' },
      1,
    ]);
    expect((await server.act(session, { kind: 'clipboard', do: 'clear' })).value).toEqual({
      scope: 'session',
      size: 0,
    });
  });

  it('[AU3] needs its grant, also inside a batch; the timeline gives the length of a write, not the text', async () => {
    const { server } = fixture;
    const session = await fixture.open();
    const made = await server.api('POST', '/api/v1/keys', {
      name: 'typist',
      grants: ['watch', 'drive'],
      sessions: 'workspace',
    });
    const { key } = z.object({ key: z.string() }).parse(made.body);
    const as = async (action: object): Promise<string | undefined> =>
      replySchema.parse(
        (
          await server.api('POST', `/api/v1/sessions/${session}/tabs/active/act`, action, {
            authorization: `Bearer ${key}`,
          })
        ).body,
      ).error?.code;
    const refused = [
      await as({ kind: 'clipboard', do: 'get' }),
      await as({ kind: 'batch', actions: [{ kind: 'clipboard', do: 'set', text: 'x' }] }),
    ];
    await server.act(session, { kind: 'clipboard', do: 'set', text: 'canary words' });
    const told = JSON.stringify((await server.api('GET', `/api/v1/sessions/${session}/timeline`)).body);

    expect(refused).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect([told.includes('set the clipboard (12 characters)'), told.includes('canary')]).toEqual([true, false]);
  });
});

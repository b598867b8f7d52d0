import { FILES } from '@/server/features/files/file-transfers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { receiptSchema, type Receipt } from '@/lib/actions/receipt';
import { lightLoop } from '@/server/testing/light-loop';
import { PersonInput } from '@/server/testing/person-input';
import { refOf } from '@/server/testing/server';
import { soon } from '@/server/testing/private-page';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * Unusual hand-backs: a page that hangs, one that replaced its elements, several agents in turn, files and cookies
 * (CO5).
 */

const at = (top: number): string => `style="position:absolute;left:20px;top:${top}px;width:160px;height:30px"`;
const fixture = useServerFixture({
  '/hangs': `<title>Hangs</title><button ${at(20)} onclick="setTimeout(() => { ${await lightLoop()} }, 50)">Hang</button><button ${at(60)}>Calm</button>`,
  '/anew': `<title>Anew</title><button ${at(20)} onclick="list.innerHTML = '<button>Buy</button><button>Sell</button><p>' + 'changed '.repeat(3)">Renew</button><div id="list" style="margin-top:80px"><button>Buy</button><button>Sell</button><button>Gone soon</button></div>`,
  '/plain': `<title>Plain</title><button ${at(20)} onclick="document.cookie='first=1'">One</button><button ${at(60)} onclick="document.cookie='second=1'">Two</button><a ${at(100)} href="/file" download="list.txt">Get list</a>`,
  '/file': 'one,two',
});

interface Turn {
  readonly id: string;
  readonly hand: PersonInput;
  control(body: object): Promise<void>;
}

/** A session in which an agent held the lease, and has looked at the page. */
async function drivenBy(agent: string, page: string): Promise<Turn> {
  const { id } = await fixture.server.session(`${fixture.site}${page}`, agent);
  await fixture.server.act(id, { kind: 'press', key: 'Shift' }, agent);
  const person = fixture.person();
  await ask(person, 'session.join', { session: id });
  const control = async (body: object): Promise<void> =>
    expect(await fixture.control(id, body)).toMatchObject({ status: 200 });
  return { id, hand: new PersonInput(person, fixture.inside(id)), control };
}

async function told(id: string, agent: string): Promise<Receipt> {
  const { body } = await fixture.server.api(
    'GET',
    `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=20000`,
    undefined,
    { 'x-agent': agent },
  );
  return z.object({ handoff: receiptSchema }).parse(body).handoff;
}

const steps = ({ actions = [] }: Receipt): string[] => actions.map(({ step }) => /name="(\w+)/.exec(step)?.[1] ?? step);

describe('a hand-back', () => {
  it('[CO5] of a page that hangs is done; the receipt says what could not be read, and tells the rest', async () => {
    const { id, hand, control } = await drivenBy('one', '/hangs');
    await fixture.server.act(id, { kind: 'snapshot' }, 'one');
    await control({ do: 'take' });
    await hand.click(100, 35);
    await soon(async () => !(await fixture.inside(id).activeSessionTab().tab.sentinel.answers(200)));
    await control({ do: 'hand-back', note: 'it hangs' });
    const receipt = await told(id, 'one');

    expect(receipt).toMatchObject({
      by: 'Owner',
      note: 'it hangs',
      url: `${fixture.site}/hangs`,
      urlBefore: `${fixture.site}/hangs`,
      page: { tab: 't1', why: expect.stringMatching(/answer/) },
    });
    expect([receipt.page?.text, receipt.refs]).toEqual([undefined, undefined]);
    expect(steps(receipt)).toEqual(['Hang']);
  }, 120_000);

  it('[CO5][SN4] of a page that replaced its elements maps old refs to new ones, and names those without an element', async () => {
    const { id, hand, control } = await drivenBy('one', '/anew');
    const body = z
      .object({ refs: z.array(z.object({ ref: z.string(), role: z.string(), name: z.string() })), text: z.string() })
      .parse(
        (
          await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/snapshot?refs=1`, undefined, {
            'x-agent': 'one',
          })
        ).body,
      );
    const old = (name: string): string => body.refs.find((entry) => entry.name === name)?.ref ?? name;
    let refs: Receipt['refs'];
    // A busy machine may have been too slow for one; it says so, and the next hand-back tells it.
    await soon(async () => {
      await control({ do: 'take' });
      await hand.click(100, 35);
      await control({ do: 'hand-back' });
      ({ refs } = await told(id, 'one'));
      return refs !== undefined;
    });
    const now = await fixture.server.snapshot(id);
    const clicked = await fixture.server.act(id, { kind: 'click', ref: old('Sell') }, 'one');

    expect(refs?.rebound.toSorted((a, b) => a.ref.localeCompare(b.ref))).toEqual(
      ['Buy', 'Sell'].map((name) => ({ ref: old(name), now: refOf(now, 'button', name) })),
    );
    expect([refs?.invalid, (refs?.kept ?? 0) > 0]).toEqual([[old('Gone soon')], true]);
    expect(clicked.error).toBeUndefined();
  }, 120_000);

  it('[CO5] to several agents in turn tells each what happened since it lost the lease, and nothing of the others', async () => {
    const { id, hand, control } = await drivenBy('one', '/plain');
    await fixture.server.act(id, { kind: 'snapshot' }, 'two');
    await control({ do: 'take' });
    await hand.click(100, 35);
    await control({ do: 'hand-over', to: 'two' });
    const second = await told(id, 'two');
    const also = await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'two');
    await control({ do: 'take' });
    await hand.click(100, 75);
    await hand.click(100, 115);
    await soon(() =>
      FILES.of(fixture.inside(id))
        .downloads.all()
        .some(({ view }) => view.state === 'done'),
    );
    await control({ do: 'hand-over', to: 'one' });
    const first = await told(id, 'one');
    const none = await fixture.server.act(id, { kind: 'snapshot' }, 'two');
    await control({ do: 'take' });
    await control({ do: 'hand-back' });
    const again = await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'one');

    expect([steps(second), second.cookies?.added, second.downloads]).toEqual([['One'], ['first'], []]);
    expect(also.handoff).toEqual(second);
    expect([steps(first), first.cookies?.added.toSorted(), first.downloads]).toEqual([
      ['One', 'Two', 'Get'],
      ['first', 'second'],
      [{ name: 'list.txt', state: 'done' }],
    ]);
    expect(none.handoff).toBeUndefined();
    // The agent was not told before it did something, so both hand-backs become one, and nothing of the first is lost.
    expect(again.handoff && steps(again.handoff)).toEqual(['One', 'Two', 'Get']);
  }, 120_000);
});

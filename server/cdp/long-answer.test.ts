import { describe, expect, it } from 'vitest';
import { LONG_BYTES, longAnswerIn, parseLong } from './long-answer';
import { isAxNode } from './shapes/page-content';

/** As Chrome writes it, with names that try to look like the place between two nodes. */
function answerOf(count: number): { data: Buffer; nodes: unknown[] } {
  const names = ['},{"nodeId":"9', 'ключ 🔑 \\', '"},{"nodeId":"', 'x'.repeat(900)];
  const nodes = Array.from({ length: count }, (_, at) => ({
    nodeId: `${at}`,
    ignored: false,
    name: { value: names[at % names.length] },
    childIds: [`${at + 1}`],
  }));
  return { data: Buffer.from(JSON.stringify({ id: 7, result: { nodes }, sessionId: 'AB12' })), nodes };
}

describe('a long answer', () => {
  it('[SN10] is parsed part by part, with other work between the parts, and gives the same value', async () => {
    const { data, nodes } = answerOf(8_000);
    const long = longAnswerIn(data);
    let turns = 0;
    const pause = (): Promise<void> => Promise.resolve(void (turns += 1));
    const answer = long && (await parseLong(data, long, isAxNode, pause));
    expect([long?.id, answer, turns >= 5]).toEqual([7, nodes, true]);
  });

  it('[SN10] does not block other work', async () => {
    const { data } = answerOf(8_000);
    const long = longAnswerIn(data);
    const order: string[] = [];
    setImmediate(() => order.push('somebody else'));
    if (long) await parseLong(data, long, isAxNode);
    order.push('answer');
    expect(order).toEqual(['somebody else', 'answer']);
  });

  it('[R7] with one item that is no node gives nothing', async () => {
    const { data } = answerOf(8_000);
    data.write('"ignored":"no!"', data.lastIndexOf('"ignored":false'));
    const long = longAnswerIn(data);
    expect([long?.id, long && (await parseLong(data, long, isAxNode))]).toEqual([7, undefined]);
  });

  it.each([
    ['short', answerOf(3).data],
    [
      'another method’s',
      Buffer.from(JSON.stringify({ id: 7, result: { data: 'x'.repeat(LONG_BYTES) }, sessionId: 'AB12' })),
    ],
    [
      'an event',
      Buffer.from(
        JSON.stringify({
          method: 'Accessibility.nodesUpdated',
          params: { nodes: ['x'.repeat(LONG_BYTES)] },
          sessionId: 'AB12',
        }),
      ),
    ],
    ['cut off', answerOf(8_000).data.subarray(0, -3)],
  ])('[SN10] that is %s is left to one parse', (_, data) => {
    expect(longAnswerIn(data)).toBeUndefined();
  });

  it('[F30] that is broken inside throws', async () => {
    const { data } = answerOf(8_000);
    data.write('!', 1_000_000);
    data.write('"', 1_000_002);
    const long = longAnswerIn(data);
    await expect(long && parseLong(data, long, isAxNode)).rejects.toBeInstanceOf(SyntaxError);
  });
});

import { describe, expect, it } from 'vitest';
import { Outbox, type TargetedInput } from './outbox';
import type { InputEvent } from '@/lib/protocol/input';

const move = (x: number): InputEvent => ({ type: 'move', x, y: 0, buttons: 0, modifiers: 0 });
const wheel = (dy: number): InputEvent => ({ type: 'wheel', x: 0, y: 0, dx: 0, dy, modifiers: 0 });
const down: InputEvent = { type: 'down', x: 9, y: 0, button: 'left', buttons: 1, clickCount: 1, modifiers: 0 };
const text: InputEvent = { type: 'text', text: 'a' };

/** An outbox whose frames and answers the test triggers. */
function open() {
  const sent: InputEvent[] = [];
  const answers: (() => void)[] = [];
  let frame: (() => void) | undefined;
  const send = ({ event }: TargetedInput) =>
    new Promise<void>((resolve) => {
      sent.push(event);
      answers.push(resolve);
    });
  const outbox = new Outbox({ send, nextFrame: (flush) => (frame = flush) });
  const turn = () => {
    const due = frame;
    frame = undefined;
    due?.();
  };
  const push = (...events: InputEvent[]) => events.forEach((event) => outbox.push({ geometry: 1, event }));
  const answerAll = async () => {
    answers.splice(0).forEach((answer) => answer());
    await Promise.resolve();
    await Promise.resolve();
  };
  return { outbox, sent, push, turn, answerAll };
}

describe('Outbox', () => {
  it('sends one move a frame, the newest', () => {
    const { sent, push, turn } = open();
    push(move(1), move(2), move(3));
    expect(sent).toEqual([]);
    turn();
    expect(sent).toEqual([move(3)]);
  });

  it('never holds back presses and text, and sends what came before them first', () => {
    const { sent, push } = open();
    push(move(1), wheel(10), wheel(5), down, text);
    expect(sent).toEqual([move(1), wheel(15), down, text]);
  });

  it('passes over moves while four are unanswered, but not the last one before a press', async () => {
    const { sent, push, turn, answerAll } = open();
    for (let x = 1; x <= 6; x += 1) {
      push(move(x));
      turn();
    }
    expect(sent).toEqual([1, 2, 3, 4].map(move));
    push(down);
    expect(sent.slice(4)).toEqual([move(6), down]);
    push(move(7));
    turn();
    expect(sent).toHaveLength(6);
    await answerAll();
    turn();
    expect(sent.slice(6)).toEqual([move(7)]);
  });

  it('adds up turns of the wheel and loses none', () => {
    const { sent, push, turn } = open();
    push(wheel(1), wheel(2));
    turn();
    push(wheel(4));
    turn();
    expect(sent).toEqual([wheel(3), wheel(4)]);
  });

  it('forgets what was not sent when the lease is lost', () => {
    const { outbox, sent, push, turn } = open();
    push(move(1), wheel(3));
    outbox.clear();
    turn();
    expect(sent).toEqual([]);
  });
});

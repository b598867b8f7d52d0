// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { aQuestion } from '@/components/testing/views';
import type { HelpResult } from '@/lib/question/question';
import { QuestionNote } from './question-note';

afterEach(cleanup);

const question = aQuestion({ instructions: 'Look at the phone.\nType it in.', element: { ref: 'e3', role: 'textbox', name: 'Code' } });

/** Shows the question; gives the answers that are sent, in order. */
function show(locale: Locale, byHandingBack = false): [HelpResult, string][] {
  const sent: [HelpResult, string][] = [];
  render(
    <MessagesProvider locale={locale}>
      <QuestionNote question={question} more={1} byHandingBack={byHandingBack} onAnswer={async (...answer) => sent.push(answer) > 0} />
    </MessagesProvider>,
  );
  return sent;
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const write = (name: string, value: string) => fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });

it.each([
  ['en', ['buyer-bot needs you', '10 min left', '1 more question', 'A code was sent to a phone', 'Look at the phone.', 'About textbox “Code”']],
  ['zh', ['buyer-bot 需要您', '剩余 10 分钟', '另有 1 个请求', 'A code was sent to a phone', 'Look at the phone.', '关于 textbox “Code”']],
] as const)('[CO6] says who asks, why, what to do, about what, and how long (%s)', (locale, words) => {
  show(locale);
  const text = document.body.textContent;
  expect(words.filter((each) => !text.includes(each))).toEqual([]);
});

it('[CO6] is answered done or could not, with a note or without, or by a note alone', async () => {
  const sent = show('en');
  expect(screen.queryByRole('button', { name: 'Send the note' })).toBeNull();
  await press('Done');
  write('Note for buyer-bot', ' It is 4711 ');
  await press('Could not');
  await press('Send the note');
  expect(sent).toEqual([['done', ''], ['could-not', 'It is 4711'], ['note', 'It is 4711']]);
});

it('[CO6] whoever has the wheel answers by handing it back, and has no second way here', () => {
  show('en', true);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { ANA, aQuestion, AT, YOU } from '@/components/testing/views';
import { windowIs } from '@/components/testing/window-kind';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { HelpResult } from '@/lib/help/help-request';
import { HelpRequestNote } from './help-request-note';

beforeEach(() => windowIs('desk'));
afterEach(cleanup);

const question = aQuestion({
  instructions: 'Look at the phone.\nType it in.',
  element: { ref: 'e3', role: 'textbox', name: 'Code' },
});

type Sent = [HelpResult, string] | boolean;

/** Renders the note; returns the answers and claims that are sent, in order. */
function show(locale: Locale, byHandingBack = false, claimed?: typeof YOU | typeof ANA): Sent[] {
  const sent: Sent[] = [];
  render(
    <MessagesProvider locale={locale}>
      <TooltipProvider>
        <HelpRequestNote
          question={{ ...question, ...(claimed && { claimed: { by: claimed, at: AT } }) }}
          more={1}
          byHandingBack={byHandingBack}
          you={YOU.id}
          mayAnswer
          onClaim={async (on) => sent.push(on) > 0}
          onAnswer={async (...answer) => sent.push(answer) > 0}
        />
      </TooltipProvider>
    </MessagesProvider>,
  );
  return sent;
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const write = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });

it.each([
  [
    'en',
    [
      'buyer-bot needs you',
      '10 min left',
      '1 more question',
      'A code was sent to a phone',
      'Look at the phone.',
      'About textbox “Code”',
    ],
  ],
  [
    'zh',
    [
      'buyer-bot 需要您',
      '剩余 10 分钟',
      '另有 1 个请求',
      'A code was sent to a phone',
      'Look at the phone.',
      '关于 textbox “Code”',
    ],
  ],
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
  expect(sent).toEqual([
    ['done', ''],
    ['could-not', 'It is 4711'],
    ['note', 'It is 4711'],
  ]);
});

it('[CO6] whoever holds the lease answers by handing it back, and has no second way here', () => {
  show('en', true);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('[CO6] on a phone it is one line, and a sheet has the rest and the answers', async () => {
  windowIs('phone');
  const sent = show('en');
  expect(document.body.textContent).toBe('A code was sent to a phoneAnswer');
  await press('Answer');
  expect(screen.getByRole('dialog', { name: 'A code was sent to a phone' }).textContent).toContain(
    'Look at the phone.',
  );
  write('Note for buyer-bot', '4711');
  await press('Done');
  expect(sent).toEqual([['done', '4711']]);
});

it('[CO6] on a phone whoever holds the lease reads the rest, and answers by handing it back', async () => {
  windowIs('phone');
  show('en', true);
  await press('Details');
  expect(screen.getByRole('dialog').textContent).toContain('About textbox “Code”');
  expect(
    screen.queryAllByRole('button', { hidden: true }).map(({ textContent, ariaLabel }) => textContent || ariaLabel),
  ).toEqual(['Details', 'Close']);
});

it('[CO4] a person says that they are on it; who is on it is read by the others, and only that person lets go', async () => {
  const sent = show('en');
  await press('I’m on it');
  cleanup();
  const mine = show('en', false, YOU);
  expect(document.body.textContent).toContain('You are on it. The others are not called.');
  await press('Let go');
  cleanup();
  show('en', false, ANA);
  expect(document.body.textContent).toContain('buyer-bot asks for a person');
  expect(document.body.textContent).toContain('Ana is on it');
  expect(screen.queryByRole('button', { name: 'Let go' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'I’m on it' })).toBeNull();
  expect([sent, mine]).toEqual([[true], [false]]);
});

it('[CO4] on a phone the one line says who is on it, in Chinese too', () => {
  windowIs('phone');
  show('zh', false, ANA);
  expect(document.body.textContent).toBe('A code was sent to a phoneAna 正在处理答复');
});

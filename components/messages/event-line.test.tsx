// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { aDone, anEvent, YOU } from '@/components/testing/views';
import { formatMessage } from '@/lib/messages/format';
import type { LogMessage } from '@/lib/messages/log-messages';
import type { TimelineEvent } from '@/lib/protocol/views';
import { MessagesProvider } from './provider';
import { useEventLine } from './use-event-line';
import { useMessageText } from './use-message-text';

afterEach(cleanup);

function Line({ event }: { event: TimelineEvent }) {
  return <p>{useEventLine()(event, YOU.id)}</p>;
}

const did = [
  aDone('click button “Agree”', { deed: { word: 'click' }, element: { role: 'button', name: 'Agree' } }),
  aDone('type “Riga” into textbox “City”', {
    deed: { word: 'type', value: 'Riga' },
    element: { role: 'textbox', name: 'City' },
  }),
  aDone('click “Ort”', { deed: { word: 'click' }, element: { role: 'link', name: 'Ort' }, code: 'COVERED' }),
];

it.each([
  [
    'en',
    'You used pointer and keys: clicked button Agree, typed “Riga” into City, could not click link Ort and 2 more',
  ],
  ['zh', '您用鼠标和键盘操作了页面：点击了按钮 Agree，输入了“Riga”到 City，未能点击链接 Ort，另有 2 项'],
] as const)('[CO11] says what pointer and keys came to in the language of the reader (%s)', (locale, line) => {
  const event = anEvent({
    kind: 'input',
    actor: YOU,
    ...formatMessage({ code: 'inputDidMore', what: did.map(({ text }) => text).join(', '), more: 2 }),
    did,
  });
  const { container } = render(
    <MessagesProvider locale={locale}>
      <Line event={event} />
    </MessagesProvider>,
  );
  expect(container.textContent).toBe(line);
});

function LogRow({ said }: { said: LogMessage }) {
  return <p>{useMessageText()(said)}</p>;
}

it.each([
  ['en', 'changed the role of Ada from member to admin', 'signed in (password and code)'],
  ['zh', '将 Ada 的角色由成员改为管理员', '已登录（密码和验证码）'],
] as const)("[TL1] a row of a workspace's log says roles and ways to sign in in %s", (locale, role, factor) => {
  const text = (said: LogMessage): string | null => {
    const row = (
      <MessagesProvider locale={locale}>
        <LogRow said={said} />
      </MessagesProvider>
    );
    return render(row).container.textContent;
  };
  expect(text({ code: 'memberRole', name: 'Ada', before: 'member', role: 'admin' })).toBe(role);
  expect(text({ code: 'signedIn', factor: 'password+code' })).toBe(factor);
});

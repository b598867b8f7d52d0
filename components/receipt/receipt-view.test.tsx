// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { aReceipt } from '@/components/testing/views';
import type { Receipt } from '@/lib/actions/receipt';
import { ReceiptView } from './receipt-view';

afterEach(cleanup);

function show(locale: Locale, over: Partial<Receipt> = {}): string {
  render(
    <MessagesProvider locale={locale}>
      <ReceiptView receipt={aReceipt(over)} />
    </MessagesProvider>,
  );
  return document.body.textContent;
}

const FULL: Partial<Receipt> = {
  note: 'Signed in',
  urlBefore: 'https://shop.example/login',
  tabsOpened: [{ id: 't2', url: 'https://shop.example/help', title: 'Help' }],
  tabsClosed: [{ id: 't3', url: 'https://ads.example/', title: '' }],
  downloads: [{ name: 'list.txt', state: 'done' }],
  cookies: { added: ['session'], changed: [], removed: ['guest'] },
  page: { tab: 't1', since: 1, revision: 2, text: '+ heading “Welcome”', why: undefined },
  refs: { tab: 't1', kept: 4, rebound: [{ ref: 'e3', now: 'e9' }], invalid: ['e5'] },
  cut: ['12 earlier actions'],
};

it.each([
  [
    'en',
    [
      'clicked button Agree',
      'typed into Password',
      'OpenedHelp',
      'Closedhttps://ads.example/',
      'complete',
      'New',
      'Gone',
      'Still hold4',
    ],
  ],
  [
    'zh',
    [
      '点击了按钮 Agree',
      '输入到 Password',
      '已打开',
      '已关闭https://ads.example/',
      '已完成',
      '新增',
      '移除',
      '仍然有效4',
    ],
  ],
] as const)('[CO5] says all that the agent is told (%s)', (locale, words) => {
  const text = show(locale, FULL);
  const same = [
    'click button "Agree"',
    'Signed in',
    'https://shop.example/login',
    'https://shop.example/account',
    'Help',
    'list.txt',
    'session',
    'guest',
    '+ heading “Welcome”',
    'e3 → e9',
    'e5',
    '12 earlier actions',
  ];
  expect([...words, ...same].filter((each) => !text.includes(each))).toEqual([]);
});

it('[CO5] leaves out the parts that are empty, and says that nothing was done', () => {
  show('en', { actions: [] });
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['What was done', 'Address']);
  expect(screen.getByText('Nothing on the page.')).toBeTruthy();
});

it('[CO5] a receipt of an older server has its addresses, and nothing more', () => {
  show('en', { actions: undefined });
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Address']);
});

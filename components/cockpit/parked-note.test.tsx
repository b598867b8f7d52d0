// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { ParkedNote } from './parked-note';

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it.each([
  [
    'en',
    'Ana lost the connection. The wheel waits 15 s for them.',
    'Ana lost the connection. The wheel waits 12 s for them.',
  ],
  ['zh', 'Ana 的连接已断开，操作权再保留 15 秒。', 'Ana 的连接已断开，操作权再保留 12 秒。'],
] as const)('[CO7] a lease whose holder lost the connection counts down (%s)', (locale, first, later) => {
  const { container } = render(
    <MessagesProvider locale={locale}>
      <ParkedNote ms={15_000} name="Ana" />
    </MessagesProvider>,
  );
  const before = container.textContent;
  act(() => void vi.advanceTimersByTime(3_000));
  expect([before, container.textContent]).toEqual([first, later]);
});

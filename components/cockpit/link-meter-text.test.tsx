// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { SessionClientProvider } from '@/components/session-client/session-client-provider';
import { browserStorage } from '@/components/use-stored-choice';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { StreamStatus } from '@/lib/protocol/views';
import { LinkMeterText } from './link-meter-text';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  browserStorage.setItem('wh-quality', 'auto');
  vi.useRealTimers();
});

/** The meter after its first reading. */
function show(locale: 'en' | 'zh', status: Partial<StreamStatus>) {
  const page = (now: Partial<StreamStatus>) => (
    <MessagesProvider locale={locale}>
      <TooltipProvider>
        <SessionClientProvider>
          <LinkMeterText status={{ stream: 'v1', tab: 't1', state: 'live', ...now }} />
        </SessionClientProvider>
      </TooltipProvider>
    </MessagesProvider>
  );
  const { rerender } = render(page(status));
  act(() => void vi.advanceTimersByTime(1_000));
  return (now: Partial<StreamStatus>) => rerender(page(now));
}

it.each([
  ['en', 'Lower quality: slow connection', 'Now: Low, because the connection is slow.', 'Standard'],
  ['zh', '连接较慢，已降低画质', '当前：低（连接较慢）。', '标准'],
] as const)(
  '[FR6] the meter says that a slow connection lowers the quality, and lets a person choose one (%s)',
  (locale, slow, now, standard) => {
    const became = show(locale, { tier: 'standard', because: 'size' });
    const before = screen.getByRole('status').textContent;
    became({ tier: 'low', because: 'link' });
    const said = screen.getByRole('status').textContent;
    fireEvent.click(screen.getByRole('button'));
    const choices = within(screen.getByRole('group'));
    const told = choices.getByText(now);
    fireEvent.click(choices.getByRole('radio', { name: standard }));
    became({ tier: 'standard', because: 'chosen' });

    expect([before, said]).toEqual(['', slow]);
    expect(told).toBeTruthy();
    expect(browserStorage.getItem('wh-quality')).toBe('standard');
    expect(choices.getByRole('radio', { name: standard })).toHaveProperty('checked', true);
    expect(screen.getByRole('status', { hidden: true }).textContent).toBe('');
  },
);

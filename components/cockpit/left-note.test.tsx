// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import type { InForce } from '@/lib/control/in-force';
import { formatMessage } from '@/lib/messages/format';
import { TooltipProvider } from '@/components/ui/tooltip';
import { LeftNote } from './left-note';

afterEach(cleanup);

const ASIDE: InForce[] = [
  { kind: 'headers', state: 'aside', ...formatMessage({ code: 'asideHeaders', name: 'Ana' }) },
  { kind: 'offline', state: 'aside', ...formatMessage({ code: 'asideOffline', name: 'Ana' }) },
];

it.each([
  ['en', 'The request headers of Ana are put aside.', 'Details', 'The offline mode of Ana is put aside.', 'Close'],
  ['zh', 'Ana 设置的请求头已暂时搁置。', '详情', 'Ana 设置的离线模式已暂时搁置。', '关闭'],
] as const)(
  '[CO3] what is put aside is one line, the rest a press away, and it can be closed (%s)',
  (locale, first, details, second, close) => {
    const { container } = render(
      <MessagesProvider locale={locale}>
        <TooltipProvider>
          <LeftNote inForce={ASIDE} />
        </TooltipProvider>
      </MessagesProvider>,
    );
    expect([container.textContent?.includes(first), container.textContent?.includes(second)]).toEqual([true, false]);
    fireEvent.click(screen.getByRole('button', { name: details }));
    expect(screen.getByRole('dialog').textContent).toContain(second);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    fireEvent.click(screen.getByRole('button', { name: close }));
    expect(container.textContent).not.toContain(first);
  },
);

// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { FactorMark } from './factor-mark';

afterEach(cleanup);

const LAB = { id: 'w_2', name: 'Lab', role: 'member', home: false } as const;

for (const [locale, words] of [
  ['en', 'needs a second factor'],
  ['zh', '需要两步验证'],
] as const)
  it(`[AU2] a list marks a workspace that waits for a second factor, and no other: ${locale}`, () => {
    const { container } = render(
      <MessagesProvider locale={locale}>
        <FactorMark workspace={{ ...LAB, withheld: null }} />
      </MessagesProvider>,
    );
    expect(container.textContent).toBe('');
    render(
      <MessagesProvider locale={locale}>
        <FactorMark workspace={{ ...LAB, withheld: 'SECOND_FACTOR_NEEDED' }} />
      </MessagesProvider>,
    );
    expect(screen.getByText(words)).toBeDefined();
  });

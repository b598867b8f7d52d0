// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { aControl, aTab, BOT, YOU } from '@/components/testing/views';
import { tabLease } from '@/components/lease-state';
import { LeaseChip } from './lease-chip';
import type { Locale } from '@/components/messages/locale';
import type { Actor } from '@/lib/protocol/views';

afterEach(cleanup);

function chip(holder: Actor | null, locale: Locale = 'en'): HTMLElement {
  const { container } = render(
    <MessagesProvider locale={locale}>
      <LeaseChip lease={tabLease(aTab({ control: aControl(holder) }), YOU.id)} />
    </MessagesProvider>,
  );
  const shown = container.firstElementChild;
  if (!(shown instanceof HTMLElement)) throw new Error('nothing was rendered');
  return shown;
}

describe('LeaseChip', () => {
  it('[ui: one idea] carries the colour role, an icon that is hidden from screen readers, and the word', () => {
    const shown = chip(BOT);
    expect(shown.dataset.lease).toBe('agent');
    expect(shown.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
    expect(shown.textContent).toBe('Agent driving');
  });

  it('[ui: behaviour] speaks Chinese', () => {
    expect(chip(YOU, 'zh').textContent).toBe('您在操作');
  });

  it('[GU3] shows a name as text, isolated from ours', () => {
    const name = '<img src=x onerror=alert(1)>\u202Eevil';
    const shown = chip({ id: 'x', name, kind: 'human' });
    expect(shown.querySelector('img')).toBeNull();
    expect(shown.querySelector('bdi')?.textContent).toBe(`${name} is driving`);
  });
});

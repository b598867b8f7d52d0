// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { WorkspaceSettings } from './api';
import { EgressSection } from './egress-section';
import { EndSection } from './end-section';
import { NameSection } from './name-section';

afterEach(cleanup);

const HOME: WorkspaceSettings = {
  ...{ id: 'w_1', name: 'Home', role: 'admin', home: true, first: false, revision: 'r1' },
  policy: { egress: null, idleMs: null, secondFactor: false },
};

function show(settings: WorkspaceSettings, readOnly = false) {
  const page = (now: WorkspaceSettings) => {
    const loaded = { settings: now, readOnly, take: () => undefined, reload: () => undefined };
    return (
      <MessagesProvider locale="en">
        <TooltipProvider>
          <NameSection loaded={loaded} />
          <EgressSection loaded={loaded} />
          <EndSection loaded={loaded} />
        </TooltipProvider>
      </MessagesProvider>
    );
  };
  const { rerender } = render(page(settings));
  return (now: WorkspaceSettings) => rerender(page(now));
}

const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of the workspace' });
const type = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } });
const usable = (button: string) => !screen.getByRole<HTMLButtonElement>('button', { name: button }).disabled;

describe('the settings of a workspace', () => {
  it('[AU2] of a name that the server would refuse say why, and do not save it', () => {
    show(HOME);
    type(name(), 'x'.repeat(10_000));
    expect(screen.getByRole('alert').textContent).toContain('this one has 10,000');
    expect(usable('Save')).toBe(false);
    type(name(), '<b>Ops</b>');
    expect([screen.queryByRole('alert'), usable('Save')]).toEqual([null, true]);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect([name().value, screen.queryByRole('button', { name: 'Save' })]).toEqual(['Home', null]);
  });

  it('[AU2] say when another admin was faster, and let a person choose before anything is saved', () => {
    const now = show(HOME);
    type(name(), 'Shop');
    now({ ...HOME, name: 'Lab', revision: 'r2' });
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('“Lab”');
    expect([name().value, screen.queryByRole('button', { name: 'Save' })]).toEqual(['Shop', null]);
    fireEvent.click(within(alert).getByRole('button', { name: 'Keep my change' }));
    expect([name().value, usable('Save')]).toEqual(['Shop', true]);
    now({ ...HOME, name: 'Yard', revision: 'r3' });
    fireEvent.click(screen.getByRole('button', { name: 'Take theirs' }));
    expect([name().value, screen.queryByRole('alert')]).toEqual(['Yard', null]);
  });

  it('[GU1] check a list of sites as it is typed, name each bad line, and put its cure in', () => {
    show(HOME);
    fireEvent.click(screen.getByRole('radio', { name: 'Listed sites only' }));
    expect(usable('Save')).toBe(false);
    const sites = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Sites' });
    type(sites, 'example.com\nhttps://shop.example/a');
    expect(screen.getByRole('alert').textContent).toContain('Line 2: https://shop.example/a is an address');
    fireEvent.click(screen.getByRole('button', { name: 'Use shop.example' }));
    expect([sites.value, usable('Save')]).toEqual(['example.com\nshop.example', true]);
    type(sites, Array.from({ length: 201 }, (_, n) => `${n}.example`).join(' '));
    expect(usable('Save')).toBe(false);
    expect(screen.getByText(/at most 200 sites; this one has 201/)).toBeDefined();
  });

  it('[AU2] are read by members, and changed and ended by nobody without the right', () => {
    const egress = { kind: 'listed' as const, sites: ['example.com'] };
    show({ ...HOME, role: 'member', policy: { egress, idleMs: null, secondFactor: false } }, true);
    expect(name().readOnly).toBe(true);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Sites' }).readOnly).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'The open internet' }).matches(':disabled')).toBe(true);
    expect(screen.queryByRole('button', { name: 'End this workspace…' })).toBeNull();
    expect(screen.getByText('Only owners end a workspace.')).toBeDefined();
  });
});

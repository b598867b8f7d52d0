// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { useEffect, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { withRights } from '@/components/session-client/client-state';
import type { ClientStore } from '@/components/session-client/client-store';
import { SessionClientProvider, useClientParts } from '@/components/session-client/session-client-provider';
import { apiServer } from '@/components/testing/api-server';
import { TooltipProvider } from '@/components/ui/tooltip';
import { IN_WORKSPACE, type Role } from '@/lib/rights/roles';
import type { WorkspaceSettings } from '@/components/session-client/workspace-api';
import { WorkspaceSections } from './workspace-page';

const HOME: WorkspaceSettings = {
  ...{ id: 'w_1', name: 'Home', role: 'admin', home: true, first: false, revision: 'r1', withheld: null },
  policy: { egress: null, idleMs: null, secondFactor: false },
};

const { answer, waiting } = apiServer();
afterEach(cleanup);

const conflict = {
  error: { code: 'CONFLICT', message: 'It was changed in the meantime.', hint: '', retry: 'later' },
};

/** Shows the sections of settings that the person reads last; `reload` reads `next`. */
function show(settings: WorkspaceSettings, next = settings) {
  let take: (now: WorkspaceSettings) => void = () => undefined;
  let store: ClientStore | undefined;
  function Page() {
    const [now, setNow] = useState(settings);
    const parts = useClientParts();
    useEffect(() => {
      take = setNow;
      ({ store } = parts);
    }, [parts]);
    return <WorkspaceSections settings={now} take={setNow} reload={() => setNow(next)} />;
  }
  const nothing = () => undefined;
  const router = {
    back: nothing,
    forward: nothing,
    refresh: nothing,
    push: nothing,
    replace: nothing,
    prefetch: nothing,
    bfcacheId: '',
  };
  render(
    <AppRouterContext.Provider value={router}>
      <MessagesProvider locale="en">
        <TooltipProvider>
          <SessionClientProvider>
            <Page />
          </SessionClientProvider>
        </TooltipProvider>
      </MessagesProvider>
    </AppRouterContext.Provider>,
  );
  const appoint = (role: Role) =>
    act(() =>
      store?.setState((state) =>
        withRights(state, { role, grants: [...IN_WORKSPACE[role]], server: false, withheld: null }),
      ),
    );
  return { now: (settings: WorkspaceSettings) => act(() => take(settings)), appoint };
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
    const { now } = show(HOME);
    type(name(), 'Shop');
    now({ ...HOME, name: 'Lab', revision: 'r2' });
    fireEvent.submit(name());
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('“Lab”');
    expect([name().value, screen.queryByRole('button', { name: 'Save' })]).toEqual(['Shop', null]);
    fireEvent.click(within(alert).getByRole('button', { name: 'Keep my change' }));
    expect([name().value, usable('Save')]).toEqual(['Shop', true]);
    now({ ...HOME, name: 'Yard', revision: 'r3' });
    fireEvent.click(screen.getByRole('button', { name: 'Take theirs' }));
    expect([name().value, screen.queryByRole('alert')]).toEqual(['Yard', null]);
    expect(waiting()).toEqual([]);
  });

  for (const choice of ['Keep my change', 'Take theirs'])
    it(`[AU2] say nothing of a refused save any more after “${choice}”`, async () => {
      show(HOME, { ...HOME, name: 'Lab', revision: 'r2' });
      type(name(), 'Shop');
      fireEvent.click(screen.getByRole('button', { name: 'Save' }));
      await answer('PATCH /workspace', 409, conflict);
      await answer('GET /workspace', 200, { ...HOME, name: 'Lab', revision: 'r2' });
      fireEvent.click(await screen.findByRole('button', { name: choice }));
      expect([screen.queryByRole('alert'), screen.queryByText('Nothing was saved.')]).toEqual([null, null]);
      expect(name().value).toBe(choice === 'Take theirs' ? 'Lab' : 'Shop');
    });

  it('[AU2] say nothing of a save that failed any more, once the change is undone', async () => {
    show(HOME);
    type(name(), 'Shop');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await answer('PATCH /workspace', 503, { error: { ...conflict.error, code: 'STORE_BUSY' } });
    await screen.findByText('Nothing was saved.');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect([name().value, screen.queryByText('Nothing was saved.')]).toEqual(['Home', null]);
  });

  it('[AU2] keep what is typed while the change before is being saved', async () => {
    show(HOME);
    type(name(), ' Shop');
    fireEvent.submit(name());
    type(name(), 'Shop and garden');
    await answer('PATCH /workspace', 200, { ...HOME, name: 'Shop', revision: 'r2' });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull());
    expect(name().value).toBe('Shop and garden');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(name().value).toBe('Shop');
  });

  it('[AU3] follow the rights of a person that change while the page is open', () => {
    const { appoint } = show({ ...HOME, role: 'owner' });
    type(name(), 'Shop');
    fireEvent.click(screen.getByRole('button', { name: 'End this workspace…' }));
    expect(screen.getByRole('alertdialog')).toBeDefined();
    appoint('admin');
    expect([screen.queryByRole('alertdialog'), name().value, usable('Save')]).toEqual([null, 'Shop', true]);
    expect(screen.getByText('Only owners end a workspace.')).toBeDefined();
    appoint('member');
    expect([name().readOnly, name().value, screen.queryByRole('button', { name: 'Save' })]).toEqual([
      true,
      'Home',
      null,
    ]);
    appoint('owner');
    expect([name().readOnly, name().value]).toEqual([false, 'Shop']);
    expect(usable('End this workspace…')).toBe(true);
  });

  it('[AU2] do not say that ending failed when only the other workspaces could not be listed', async () => {
    show({ ...HOME, role: 'owner' });
    fireEvent.click(screen.getByRole('button', { name: 'End this workspace…' }));
    const dialog = screen.getByRole('alertdialog');
    type(within(dialog).getByRole('textbox'), 'Home');
    fireEvent.click(within(dialog).getByRole('button', { name: 'End it for everybody' }));
    await answer('DELETE /workspace', 200, {});
    await answer('GET /workspaces', 503, { error: { ...conflict.error, code: 'STORE_BUSY' } });
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.queryByText('The workspace was not ended.')).toBeNull();
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
    show({ ...HOME, role: 'member', policy: { egress, idleMs: null, secondFactor: false } });
    expect(name().readOnly).toBe(true);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Sites' }).readOnly).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'The open internet' }).matches(':disabled')).toBe(true);
    expect(screen.queryByRole('button', { name: 'End this workspace…' })).toBeNull();
    expect(screen.getByText('Only owners end a workspace.')).toBeDefined();
  });
});

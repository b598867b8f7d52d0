// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CockpitProvider } from '@/components/cockpit/cockpit-context';
import { MessagesProvider } from '@/components/messages/provider';
import { SessionClientProvider } from '@/components/session-client/session-client-provider';
import { apiServer } from '@/components/testing/api-server';
import { aCockpit } from '@/components/testing/cockpit';
import { AT, aControl, ANA, aSession, aTab, YOU } from '@/components/testing/views';
import { windowIs } from '@/components/testing/window-kind';
import { TooltipProvider } from '@/components/ui/tooltip';
import { PAGE_PICTURE } from '@/components/viewport/viewport';
import type { FrameMeta, TabView } from '@/lib/protocol/views';
import { CommentTool, useDrawTool } from './comment-tool';
import { DrawnOutline, DrawTool } from './draw-tool';

const { answer, waiting } = apiServer();
beforeEach(() => windowIs('desk'));
afterEach(cleanup);

/** What jsdom has not: nothing here changes its size or scrolls. */
Element.prototype.scrollIntoView = () => undefined;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

const PICTURE: FrameMeta = {
  ...{ stream: 'x', tab: 't1', seq: 1, geometry: 3, width: 800, height: 600, pageScale: 1, offsetTop: 0 },
  ...{ scrollX: 0, scrollY: 40, ageMs: 0, sort: 'still', format: 'png' },
};

/** Comments that wait for their answer. */
const sent = () => waiting().filter((what) => what.startsWith('POST'));

let sessions = 0;

/** The tool on a tab of a new session. Shows another tab, or the same one in another state, when called again. */
function open(): (tab: TabView) => void {
  const person = { colour: 1, online: true, grants: [] };
  sessions += 1;
  const session = aSession({
    id: `s${sessions}`,
    tabs: [aTab(), aTab({ id: 't2' })],
    participants: [YOU, ANA].map((one) => ({ ...one, ...person })),
  });
  const page = (tab: TabView) => (
    <MessagesProvider locale="en">
      <TooltipProvider>
        <SessionClientProvider>
          <CockpitProvider value={aCockpit(session, { tab })}>
            <CommentTool />
            <Page key={tab.id} tab={tab.id} />
          </CockpitProvider>
        </SessionClientProvider>
      </TooltipProvider>
    </MessagesProvider>
  );
  const { rerender } = render(page(aTab()));
  return (tab) => rerender(page(tab));
}

function Page({ tab }: { tab: string }) {
  const shown = useRef<FrameMeta>(PICTURE);
  const { on } = useDrawTool();
  return (
    <>
      <div id={PAGE_PICTURE}>
        <DrawnOutline tab={tab} scale={1} />
      </div>
      {on && <DrawTool tab={tab} shown={shown} />}
    </>
  );
}

const tool = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Comment on the page' });
const cover = () => screen.getByRole('application');
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const key = (into: HTMLElement, name: string) => act(async () => fireEvent.keyDown(into, { key: name }));

/** Draws a box by keyboard and begins to write. */
async function draw(text: string): Promise<void> {
  await act(async () => tool().click());
  await key(cover(), 'ArrowDown');
  await key(cover(), 'Enter');
  write(text);
}
function write(text: string): void {
  fireEvent.change(field(), { target: { value: text } });
  field().setSelectionRange(text.length, text.length);
  fireEvent.select(field());
}

it('[TL3] a drawn box and its text stay while another tab is shown, and for that tab the tool is off', async () => {
  const show = open();
  await draw('half a sen');
  show(aTab({ id: 't2' }));
  expect([screen.queryByRole('application'), screen.queryByRole('textbox')]).toEqual([null, null]);
  expect(tool().getAttribute('aria-pressed')).toBe('false');
  show(aTab());
  expect(field().value).toBe('half a sen');

  fireEvent.submit(field());
  const { body } = await act(async () => answer(`POST /sessions/s${sessions}/tabs/t1/comments`, 201, { id: 'c_1' }));
  expect(body).toEqual({
    ...{ text: 'half a sen', geometry: 3, scroll: { x: 0, y: 40 } },
    box: { x: 352, y: 276, width: 96, height: 48 },
  });
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  await act(async () => tool().click());
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('[TL3] a dialog of the page hides the drawn box and its text, which are there again afterwards', async () => {
  const show = open();
  await draw('under the dialog');
  show(aTab({ dialog: { id: 'd1', type: 'alert', message: '', openedAt: AT } }));
  expect(screen.queryByRole('textbox')).toBeNull();
  show(aTab());
  expect(field().value).toBe('under the dialog');
});

it('[TL3] Escape keeps what was written for the next time, and closes offered names first; Discard forgets it', async () => {
  open();
  await draw('see @an');
  expect(screen.getByRole('listbox')).toBeTruthy();
  await key(field(), 'Escape');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field().value).toBe('see @an');
  await key(field(), 'Escape');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(document.activeElement).toBe(tool());
  await act(async () => tool().click());
  expect(field().value).toBe('see @an');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Discard' })));
  await act(async () => tool().click());
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('[TL3] Enter and Escape of an input method are for its text alone', async () => {
  open();
  await draw('ni');
  for (const name of ['Enter', 'Escape'])
    await act(async () => fireEvent.keyDown(field(), { key: name, isComposing: true }));
  // In Safari the Enter that ends a composition comes after its end.
  await act(async () => fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 }));
  expect(sent()).toEqual([]);
  expect(field().value).toBe('ni');
});

it('[TL3][CO8] nobody is offered to comment on a page that is held privately, its holder neither', () => {
  const show = open();
  const hold = { by: YOU, reason: '', until: 'ended', since: AT } as const;
  show(aTab({ control: aControl(YOU, { private: hold }) }));
  expect(tool().disabled).toBe(true);
  show(aTab());
  expect(tool().disabled).toBe(false);
});

it('[TL3] while a comment is being sent it is not sent twice, and what is typed on stays', async () => {
  const show = open();
  await draw('first');
  fireEvent.submit(field());
  fireEvent.submit(field());
  show(aTab({ id: 't2' }));
  show(aTab());
  fireEvent.submit(field());
  write('first and more');
  await act(async () => answer(`POST /sessions/s${sessions}/tabs/t1/comments`, 201, { id: 'c_1' }));
  await waitFor(() => expect(field().value).toBe('and more'));
  expect(sent()).toEqual([]);
});

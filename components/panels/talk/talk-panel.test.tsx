// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useEffect, useEffectEvent } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CockpitProvider, type Cockpit } from '@/components/cockpit/cockpit-context';
import { changeDraft, discardDraft, draftOn, selectThread } from '@/components/comments/talk-state';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { withComments } from '@/components/session-client/client-state';
import {
  SessionClientProvider,
  useClientParts,
  type ClientParts,
} from '@/components/session-client/session-client-provider';
import { apiServer } from '@/components/testing/api-server';
import { aCockpit } from '@/components/testing/cockpit';
import { aComment, ANA, aSession, aTab, BOT, YOU } from '@/components/testing/views';
import { windowIs } from '@/components/testing/window-kind';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { CommentView } from '@/lib/comments/comment';
import { TalkPanel } from './talk-panel';

const { answer, waiting } = apiServer();
beforeEach(() => windowIs('desk'));
afterEach(() => {
  cleanup();
  localStorage.clear();
  act(() => {
    for (const draft of [ON_TAB, ON_OTHER, draftOn.answer('c_1')]) discardDraft(draft);
    selectThread(undefined);
  });
});
Element.prototype.scrollIntoView = () => undefined;

const AT = '/sessions/s1/tabs/t1/comments';
const [ON_TAB, ON_OTHER] = [draftOn.tab('s1', 't1'), draftOn.tab('s1', 't2')];
const person = { colour: 1, online: true, grants: [] };

/** Shows the panel to `YOU`. */
function show(comments: readonly CommentView[], over: Partial<Cockpit> = {}, locale: Locale = 'en') {
  const session = aSession({
    tabs: [aTab(), aTab({ id: 't2', title: 'Cart' })],
    participants: [YOU, ANA, BOT].map((one) => ({ ...one, ...person })),
    comments: { open: 2, mine: 1, last: 9 },
  });
  let parts: ClientParts | undefined;
  const page = (change: Partial<Cockpit>) => (
    <MessagesProvider locale={locale}>
      <TooltipProvider>
        <SessionClientProvider>
          <CockpitProvider value={aCockpit(session, { ...over, ...change })}>
            <Told comments={comments} onParts={(client) => (parts = client)} />
            <TalkPanel />
          </CockpitProvider>
        </SessionClientProvider>
      </TooltipProvider>
    </MessagesProvider>
  );
  const { rerender } = render(page({}));
  return {
    session,
    change: (change: Partial<Cockpit>) => rerender(page(change)),
    /** The server sends a new or changed comment. */
    tell: (comment: CommentView) => act(() => parts?.store.setState((state) => withComments(state, 's1', [comment]))),
  };
}

/** What the server has sent to the page. */
function Told({ comments, onParts }: { comments: readonly CommentView[]; onParts: (parts: ClientParts) => void }) {
  const parts = useClientParts();
  const got = useEffectEvent(onParts);
  useEffect(() => {
    got(parts);
    parts.store.setState((state) => withComments(state, 's1', comments, true));
  }, [parts, comments]);
  return null;
}

const field = (name: string) => screen.getByRole<HTMLTextAreaElement>('textbox', { name });
const type = (into: HTMLTextAreaElement, text: string) => {
  fireEvent.change(into, { target: { value: text } });
  into.setSelectionRange(text.length, text.length);
  fireEvent.select(into);
};
const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const sections = () => screen.getAllByRole('region').map((one) => one.getAttribute('aria-label'));

it('[TL3] comments on the shown tab come first, then those whose page is gone, then those of other tabs', () => {
  const gone = { state: 'gone', anchor: { document: 'd', url: '', role: 'button', name: 'Pay' } } as const;
  show([aComment(1), aComment(2, gone), aComment(3, { tab: 't2' }), aComment(4, { open: false })]);

  expect(sections()).toEqual(['Comments', 'On this tab', 'No longer on the page', 'On other tabs']);
  const group = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('listitem');
  expect(group('No longer on the page')[0]?.textContent).toContain('button “Pay”');
  expect(group('On other tabs')[0]?.textContent).toContain('Cart');
  expect(screen.queryByText('Number 4')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Done 1' }));
  expect(screen.getByText('Number 4')).toBeTruthy();
});

it('[TL3] Enter sends a comment on the tab, and names are completed after @', async () => {
  show([]);
  const text = field('Say something about this tab…');
  type(text, 'look @an');
  expect(
    within(screen.getByRole('listbox'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['ANAna']);
  fireEvent.keyDown(text, { key: 'Enter' });
  expect(text.value).toBe('look @Ana ');
  fireEvent.keyDown(text, { key: 'Enter', shiftKey: true });
  expect(waiting()).toEqual([]);
  await act(async () => fireEvent.keyDown(text, { key: 'Enter' }));
  const { body } = await act(async () => answer(`POST ${AT}`, 201, { id: 'c_1' }));

  expect(body).toEqual({ text: 'look @Ana' });
  await waitFor(() => expect(text.value).toBe(''));
});

it.each(['ctrlKey', 'metaKey'] as const)('[TL3] Enter with %s sends also while names are offered', async (modifier) => {
  show([]);
  const text = field('Say something about this tab…');
  type(text, 'look @an');
  expect(screen.getByRole('listbox')).toBeTruthy();
  await act(async () => fireEvent.keyDown(text, { key: 'Enter', [modifier]: true }));
  const { body } = await act(async () => answer(`POST ${AT}`, 201, { id: 'c_1' }));

  expect(body).toEqual({ text: 'look @an' });
});

it('[TL3] Escape closes the names of one @ until another is written', () => {
  show([]);
  const text = field('Say something about this tab…');
  type(text, '@a');
  fireEvent.keyDown(text, { key: 'Escape' });
  type(text, '@an');
  expect(screen.queryByRole('listbox')).toBeNull();
  type(text, '@an @a');
  expect(screen.getByRole('listbox')).toBeTruthy();
});

it('[TL3] a text that was not sent stays, with the reason', async () => {
  show([]);
  const text = field('Say something about this tab…');
  type(text, 'all of it');
  await press('Comment');
  const error = {
    code: 'QUOTA',
    message: 'This session has 500 comments already.',
    hint: 'Resolve some.',
    retry: 'no',
  };
  await act(async () => void (await answer(`POST ${AT}`, 429, { error })));

  expect((await screen.findByRole('alert')).textContent).toContain('500 comments');
  expect(text.value).toBe('all of it');
});

it('[TL3] a comment on an element of the snapshot names it, and can become one on the tab', async () => {
  show([]);
  act(() => changeDraft(ON_TAB, { element: { ref: 'e7', name: 'button “Pay” e7' } }));
  type(field('Comment on this element…'), 'wrong colour');
  await press('Comment');
  const { body } = await act(async () => answer(`POST ${AT}`, 201, { id: 'c_1' }));
  expect(body).toEqual({ text: 'wrong colour', ref: 'e7' });

  act(() => changeDraft(ON_TAB, { element: { ref: 'e8', name: 'link “Back” e8' } }));
  await press('Comment on the tab instead');
  expect(field('Say something about this tab…')).toBeTruthy();
});

it('[TL3] who may drive passes the comment of somebody who watches on, answers it and resolves it', async () => {
  show([aComment(1, { forAgents: false })]);
  expect(screen.getByText('Only people see this')).toBeTruthy();
  await press('Pass on to agents');
  await act(async () => void (await answer('POST /sessions/s1/comments/c_1/pass', 200, { id: 'c_1' })));
  await press('Answer');
  type(field('Answer Ana…'), 'I see');
  await act(async () => fireEvent.keyDown(field('Answer Ana…'), { key: 'Enter' }));
  const { body } = await act(async () => answer(`POST ${AT}`, 201, { id: 'c_2' }));
  expect(body).toEqual({ text: 'I see', reply: 'c_1' });
  await press('Resolve');
  await act(async () => void (await answer('POST /sessions/s1/comments/c_1/resolve', 200, { id: 'c_1' })));
});

it('[TL3] who only watches resolves their own comments alone, and is told who gets them', () => {
  show([aComment(1, { forAgents: false }), aComment(2, { by: YOU })], { mayDrive: false });
  const [first, second] = screen.getAllByRole('listitem');
  const words = (item: HTMLElement | undefined) =>
    within(item ?? document.body)
      .queryAllByRole('button')
      .map(({ textContent }) => textContent);

  expect([words(first), words(second)]).toEqual([['Answer', 'Resolve'], ['Answer']]);
  expect(screen.getByText(/Agents get it when somebody who may drive/)).toBeTruthy();
});

it.each([
  ['en', '2 answers', 'Resolved by Ana', 'Answer'],
  ['zh', '2 条回复', 'Ana 已处理', '回复'],
] as const)(
  '[TL3] a thread has the answers of agents and people, and says who ended it (%s)',
  (locale, answers, done, say) => {
    const resolved = { by: ANA, at: '2026-11-21T08:00:00.000Z' };
    show([aComment(1), aComment(2, { reply: 'c_1', by: BOT }), aComment(3, { reply: 'c_1' })], {}, locale);
    expect(within(screen.getByRole('list', { name: answers })).getAllByRole('listitem')).toHaveLength(2);
    cleanup();
    show([aComment(1, { resolved, open: false })], {}, locale);
    act(() => selectThread('c_1'));

    expect(screen.getByText(done)).toBeTruthy();
    expect(screen.queryByRole('button', { name: say })).toBeNull();
  },
);

it('[TL3][CO8] nothing of a tab that somebody else holds privately is shown', () => {
  const held = aTab({ control: { ...aTab().control, private: { by: ANA, reason: '', until: 'ended', since: '' } } });
  show([aComment(1)], { session: aSession({ tabs: [held] }), tab: held });

  expect(screen.queryByText('Number 1')).toBeNull();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('[TL3] what is typed stays with its tab, also when another tab or panel is shown meanwhile', async () => {
  const { session, change } = show([aComment(1)]);
  type(field('Say something about this tab…'), 'half a sen');
  await press('Answer');
  type(field('Answer Ana…'), 'I thi');
  change({ tab: session.tabs[1] });
  expect(field('Say something about this tab…').value).toBe('');
  type(field('Say something about this tab…'), 'over here');
  change({ tab: session.tabs[0] });
  expect(field('Say something about this tab…').value).toBe('half a sen');
  cleanup();
  show([aComment(1)]);
  expect([field('Say something about this tab…').value, field('Answer Ana…').value]).toEqual(['half a sen', 'I thi']);
  act(() => changeDraft(ON_TAB, { element: { ref: 'e7', name: 'button “Pay” e7' } }));
  expect(field('Comment on this element…').value).toBe('half a sen');

  fireEvent.keyDown(field('Answer Ana…'), { key: 'Escape' });
  expect(screen.queryByRole('textbox', { name: 'Answer Ana…' })).toBeNull();
  await press('Answer');
  expect(field('Answer Ana…').value).toBe('I thi');
  await press('Discard');
  await press('Answer');
  expect(field('Answer Ana…').value).toBe('');
});

it('[TL3] a comment that is sent after its form is gone is not there to be sent again', async () => {
  const { session, change } = show([]);
  type(field('Say something about this tab…'), 'all of it');
  await press('Comment');
  change({ tab: session.tabs[1] });
  cleanup();
  await act(async () => void (await answer(`POST ${AT}`, 201, { id: 'c_1' })));
  show([]);
  await waitFor(() => expect(field('Say something about this tab…').value).toBe(''));
});

it('[TL3][CO8] who holds a tab privately comments on the tab, not on an element of its page', () => {
  const hold = { by: YOU, reason: '', until: 'ended', since: '' } as const;
  const held = aTab({ control: { ...aTab().control, holder: YOU, state: 'held', private: hold } });
  act(() => changeDraft(ON_TAB, { element: { ref: 'e7', name: 'button “Pay” e7' } }));
  show([], { session: aSession({ tabs: [held] }), tab: held, mine: true });

  expect(field('Say something about this tab…')).toBeTruthy();
  expect(screen.queryByText('button “Pay” e7')).toBeNull();
});

it('[TL3] what was begun on a tab that is closed goes on in the form of the next one', async () => {
  const { session, change } = show([]);
  type(field('Say something about this tab…'), 'half a sen');
  act(() => changeDraft(draftOn.box('s1', 't1'), { text: 'and in a box' }));
  const [, other] = session.tabs;
  change({ session: { ...session, tabs: session.tabs.slice(1) }, tab: other });

  await waitFor(() => expect(field('Say something about this tab…').value).toBe('half a sen\nand in a box'));
});

it('[TL3] a thread shows its newest answers, and all when asked', async () => {
  show(Array.from({ length: 31 }, (_, n) => aComment(n + 1, n === 0 ? {} : { reply: 'c_1' })));
  const answers = () => within(screen.getByRole('list', { name: '30 answers' })).getAllByRole('listitem');
  expect([answers().length, answers()[0]?.textContent]).toEqual([20, expect.stringContaining('Number 12')]);
  await press('Show 10 earlier answers');
  expect([answers().length, answers()[0]?.textContent]).toEqual([30, expect.stringContaining('Number 2')]);
});

it('[TL3] when a thread leaves the list, the list gets the focus that was in it', async () => {
  const { tell } = show([aComment(1), aComment(2)]);
  const [first] = screen.getAllByRole('button', { name: 'Resolve' });
  first?.focus();
  tell(aComment(2, { open: false, resolved: { by: YOU, at: '2026-11-21T08:00:00.000Z' } }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Comments' })));
});

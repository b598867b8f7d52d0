// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CockpitProvider } from '@/components/cockpit/cockpit-context';
import { ThreadItem } from '@/components/comments/thread-item';
import { GuestBar } from '@/components/guest/guest-bar';
import { MessagesProvider } from '@/components/messages/provider';
import { TimelineEntryRow } from '@/components/panels/timeline/timeline-entry-row';
import { FollowBar } from '@/components/presence/follow-bar';
import { PresenceRow } from '@/components/presence/presence-row';
import { RaisedHands } from '@/components/presence/raised-hands';
import { SessionClientProvider } from '@/components/session-client/session-client-provider';
import { LinkList } from '@/components/share/link-list';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { CommentView } from '@/lib/comments/comment';
import type { ParticipantView, TimelineEvent } from '@/lib/protocol/views';
import { sized } from '@/server/testing/sized';
import { aCockpit } from '@/components/testing/cockpit';
import { MARKUP } from './markup';
import { aComment, aControl, anEvent, aSession, aTab, AT, BOT, YOU } from '@/components/testing/views';
import { windowIs } from '@/components/testing/window-kind';

beforeEach(() => windowIs('desk'));
afterEach(cleanup);
Element.prototype.scrollIntoView = () => undefined;

const nothing = (): undefined => undefined;
const later = (): Promise<void> => Promise.resolve();

/** Everything that shows a name or text of others: presence, comments, the timeline, a guest's page, links. */
function Everywhere({ text }: { text: string }) {
  const eve = { id: 'g_eve', name: text, kind: 'human' } as const;
  const person: ParticipantView = { ...eve, colour: 1, online: true, grants: ['watch'], guest: true, hand: AT };
  const you: ParticipantView = { ...YOU, colour: 2, online: true, grants: ['watch', 'drive'] };
  const tab = aTab({ control: aControl(YOU) });
  const session = aSession({ name: text, tabs: [tab, aTab({ id: 't2', title: text })], participants: [you, person] });
  const mark = { by: eve, at: AT };
  const comment: CommentView = aComment(1, {
    ...{ text: `${text} for @${text}`, by: eve, mentions: [eve.id], tab: 't2', passed: mark, resolved: mark },
    anchor: { document: 'd1', url: 'https://shop.example/', role: 'button', name: text },
  });
  const offer = { id: 'sh_1', session: 's1', tab: null, grants: ['watch'], expiresAt: AT, by: text };
  const use = { guest: eve.id, name: text, address: text, firstAt: AT, lastAt: AT, here: true };
  const link = {
    ...{
      id: 'sh_1',
      session: 's1',
      by: text,
      tab: null,
      grants: ['watch' as const],
      maxViewers: null,
      password: false,
      wrong: 0,
    },
    ...{ createdAt: AT, expiresAt: AT, ended: null, uses: [use] },
  };
  const events: TimelineEvent[] = [
    anEvent({ kind: 'join', phase: 'event', actor: eve, said: { code: 'joined' } }),
    anEvent({ kind: 'comment', phase: 'event', actor: eve, said: { code: 'commentedText', text } }),
    anEvent({ actor: BOT, text, element: { role: 'button', name: text } }),
  ];
  return (
    <CockpitProvider value={aCockpit(session, { following: person })}>
      <PresenceRow />
      <FollowBar />
      <RaisedHands />
      <ThreadItem thread={{ first: comment, answers: [{ ...comment, id: 'c_2' }] }} />
      {events.map((event, seq) => (
        <TimelineEntryRow key={seq} you={YOU.id} row={{ key: `${seq}`, seq, event, state: 'event' }} />
      ))}
      <GuestBar session={text} offer={offer} grants={['watch']} you={person} onRename={later} onLeave={nothing} />
      <LinkList session="s1" links={[link]} grants={['watch']} onChanged={nothing} />
    </CockpitProvider>
  );
}

/** The elements of the page with the names of their attributes, and how often the text is in what they say. */
function shown(text: string): { elements: string[]; times: number } {
  const { container, unmount } = render(
    <PathnameContext.Provider value="/w/w1/sessions/s1">
      <MessagesProvider locale="en">
        <TooltipProvider>
          <SessionClientProvider>
            <Everywhere text={text} />
          </SessionClientProvider>
        </TooltipProvider>
      </MessagesProvider>
    </PathnameContext.Provider>,
  );
  // What a browser makes of the page's text, not only of its tree.
  const read = new DOMParser().parseFromString(container.innerHTML, 'text/html');
  const all = [...read.body.querySelectorAll('*')];
  const says = all.flatMap((one) => [
    ...[...one.attributes].map(({ value }) => value),
    ...[...one.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '')),
  ]);
  unmount();
  return {
    elements: all.map((one) => `${one.localName} ${one.getAttributeNames().toSorted().join(' ')}`),
    times: says.filter((said) => said.includes(text)).length,
  };
}

it('[T12] names, comments and mentions are text wherever they are shown, whatever markup they look like', () => {
  const plain = shown('Ada Lovelace');
  // Every ninth of the sixty, of each sort in their list about one.
  const tried = sized(
    MARKUP.filter((_, at) => at % 9 === 0),
    MARKUP,
  );

  expect(plain.times).toBeGreaterThan(18);
  for (const text of tried) expect({ text, ...shown(text) }).toEqual({ text, ...plain });
});

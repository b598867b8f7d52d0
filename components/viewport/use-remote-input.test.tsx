// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { InputEvent } from '@/lib/protocol/input';
import type { FrameMeta } from '@/lib/protocol/views';
import type { Keyboards } from './input/keys';
import { useRemoteInput } from './use-remote-input';

afterEach(cleanup);

interface PageProps {
  readonly keyboards: Keyboards;
  readonly sent: (event: InputEvent) => void;
}

/** A page before its first picture. */
function Page({ keyboards, sent }: PageProps) {
  const picture = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = useRef<FrameMeta>(undefined);
  useRemoteInput({
    picture,
    field,
    shown,
    keyboards,
    drives: true,
    epoch: 1,
    chord: 'ctrl-alt-shift',
    send: async ({ event }) => sent(event),
    onLeave: () => undefined,
    onOffer: () => undefined,
    onCopy: () => undefined,
  });
  return (
    <div ref={picture}>
      <textarea ref={field} />
    </div>
  );
}

it('[AC4] Command of a Mac arrives as Control, as soon as Chrome is known to run on a Mac as Command', () => {
  const sent: InputEvent[] = [];
  const page = (chromeMac: boolean) => (
    <Page keyboards={{ clientMac: true, chromeMac }} sent={(event) => sent.push(event)} />
  );
  const { rerender } = render(page(false));
  const press = () => fireEvent.keyDown(screen.getByRole('textbox'), { key: 'a', code: 'KeyA', metaKey: true });
  press();
  rerender(page(true));
  press();

  expect(sent).toMatchObject([
    { type: 'keydown', key: 'a', modifiers: 2 },
    { type: 'keydown', key: 'a', modifiers: 4 },
  ]);
});

it('[AC4] the page of a person who drives gets keys before its first picture, and Tab does not leave it', () => {
  const sent: InputEvent[] = [];
  render(<Page keyboards={{ clientMac: false, chromeMac: false }} sent={(event) => sent.push(event)} />);
  const isLeft = fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Tab', code: 'Tab' });

  expect([sent.map(({ type }) => type), isLeft]).toEqual([['keydown'], false]);
});

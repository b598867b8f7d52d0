// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { InputEvent } from '@/lib/protocol/input';
import type { FrameMeta } from '@/lib/protocol/views';
import type { Keyboards } from './input/keys';
import { useRemoteInput } from './use-remote-input';

afterEach(cleanup);

const SHOWN: FrameMeta = {
  stream: 's1',
  tab: 't1',
  seq: 1,
  geometry: 1,
  width: 800,
  height: 600,
  pageScale: 1,
  offsetTop: 0,
  scrollX: 0,
  scrollY: 0,
  ageMs: 0,
  sort: 'still',
  format: 'jpeg',
};

function Page({ keyboards, sent }: { keyboards: Keyboards; sent: (event: InputEvent) => void }) {
  const picture = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = useRef<FrameMeta | undefined>(SHOWN);
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

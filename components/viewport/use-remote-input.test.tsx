// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useLayoutEffect, useRef } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { InputEvent } from '@/lib/protocol/input';
import type { FrameMeta } from '@/lib/protocol/views';
import type { Keyboards } from './input/keys';
import type { XY } from './input/page-point';
import { useRemoteInput } from './use-remote-input';

afterEach(cleanup);

const NO_MAC: Keyboards = { clientMac: false, chromeMac: false };
const PAINTED: FrameMeta = {
  ...{ stream: 'x', tab: 't1', seq: 1, geometry: 3, width: 800, height: 600, pageScale: 1, offsetTop: 0 },
  ...{ scrollX: 0, scrollY: 0, ageMs: 0, sort: 'still', format: 'png' },
};

interface PageProps {
  readonly keyboards?: Keyboards;
  readonly drives?: boolean;
  /** The picture, at half its size; undefined: the first one has not come. */
  readonly painted?: FrameMeta;
  readonly sent?: (event: InputEvent) => void;
  readonly onOffer?: (at?: XY) => void;
  readonly onPoint?: (at: XY | null) => void;
}

function Page({ keyboards = NO_MAC, drives = true, painted, sent, onOffer, onPoint }: PageProps) {
  const picture = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = useRef<FrameMeta | undefined>(painted);
  useLayoutEffect(() => {
    if (picture.current) picture.current.getBoundingClientRect = () => new DOMRect(0, 0, 400, 300);
  }, []);
  useRemoteInput({
    picture,
    field,
    shown,
    keyboards,
    drives,
    epoch: 1,
    chord: 'ctrl-alt-shift',
    send: async ({ event }) => sent?.(event),
    onLeave: () => undefined,
    onOffer: (at) => onOffer?.(at),
    onPoint: (at) => onPoint?.(at),
    onCopy: () => undefined,
  });
  return (
    <div ref={picture} data-testid="picture">
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
  render(<Page sent={(event) => sent.push(event)} />);
  const isLeft = fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Tab', code: 'Tab' });

  expect([sent.map(({ type }) => type), isLeft]).toEqual([['keydown'], false]);
});

it('[AU5] a finger of who does not drive points where it moves, and there only a tap offers the wheel', () => {
  const told: unknown[] = [];
  const [onOffer, onPoint] = [(at?: XY) => told.push(['offer', at]), (at: XY | null) => told.push(['point', at])];
  render(<Page drives={false} painted={PAINTED} onOffer={onOffer} onPoint={onPoint} />);
  const touches = (type: string, x: number, y: number) =>
    fireEvent(
      screen.getByTestId('picture'),
      new PointerEvent(type, { pointerType: 'touch', pointerId: 1, clientX: x, clientY: y, bubbles: true }),
    );
  for (const [type, x] of [
    ['down', 50],
    ['move', 90],
    ['move', 120],
    ['up', 120],
    ['leave', 120],
  ] as const)
    touches(`pointer${type}`, x, 60);
  const moved = told.splice(0);
  for (const [type, x] of [
    ['down', 50],
    ['move', 53],
    ['up', 53],
    ['leave', 53],
  ] as const)
    touches(`pointer${type}`, x, 60);

  expect(moved).toEqual([
    ['point', { x: 180, y: 120 }],
    ['point', { x: 240, y: 120 }],
  ]);
  expect(told).toEqual([['offer', { x: 50, y: 60 }]]);
});

it('[AU5] the mouse of who does not drive points until it leaves the page; that of who drives is input alone', () => {
  const told: unknown[] = [];
  const page = (drives: boolean) => <Page drives={drives} painted={PAINTED} onPoint={(at) => told.push(at)} />;
  const { rerender } = render(page(false));
  const mouse = (type: string) =>
    fireEvent(
      screen.getByTestId('picture'),
      new PointerEvent(type, { pointerType: 'mouse', button: -1, clientX: 10, clientY: 20 }),
    );
  mouse('pointermove');
  mouse('pointerleave');
  rerender(page(true));
  mouse('pointermove');
  mouse('pointerleave');

  expect(told).toEqual([{ x: 20, y: 40 }, null]);
});

// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { after, anEvent, BOT, YOU } from '@/components/testing/views';
import { TooltipProvider } from '@/components/ui/tooltip';
import { ActionPictureDialog } from './action-picture-dialog';
import type { PicturedEvent } from './action-picture';

afterEach(cleanup);

const at = (seq: number): PicturedEvent => ({
  ...anEvent({ seq, id: `e${seq}`, actor: seq === 2 ? YOU : BOT, text: `click ${seq}`, point: { x: 320, y: 90 } }),
  picture: { at: after(seq), sha256: 'ab', width: 640, height: 360 },
});
const EVENTS = [at(3), at(2), at(1)];

/** Chooses neighbours as the list does, newest first. */
function Pictures() {
  const [open, setOpen] = useState<string | undefined>('e2');
  const index = EVENTS.findIndex(({ id }) => id === open);
  return (
    <ActionPictureDialog
      session="s1"
      you={YOU.id}
      event={EVENTS[index]}
      newer={EVENTS[index - 1]}
      older={index < 0 ? undefined : EVENTS[index + 1]}
      onShow={(event) => setOpen(event?.id)}
    />
  );
}

function show(): void {
  render(
    <MessagesProvider locale="en">
      <TooltipProvider>
        <Pictures />
      </TooltipProvider>
    </MessagesProvider>,
  );
}

const picture = () => screen.getByRole('img');
const source = () => picture().getAttribute('src');

it('[TL2] shows the picture of the row, where it was acted on, in the colour of who did it', () => {
  show();
  const mark = picture().nextElementSibling;
  expect(source()).toContain('/sessions/s1/timeline/e2/picture');
  expect([mark instanceof HTMLElement && mark.style.left, mark instanceof HTMLElement && mark.style.top]).toEqual([
    '50%',
    '25%',
  ]);
  expect(picture().closest('[data-lease]')?.getAttribute('data-lease')).toBe('human');
});

it('[TL2] goes to its neighbours by button and by arrow key, and no further than there are', () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Earlier' }));
  expect(source()).toContain('/e1/');
  expect(screen.getByRole('button', { name: 'Earlier' }).hasAttribute('disabled')).toBe(true);
  fireEvent.keyDown(document, { key: 'ArrowLeft' });
  expect(source()).toContain('/e1/');
  fireEvent.keyDown(document, { key: 'ArrowRight' });
  fireEvent.keyDown(document, { key: 'ArrowRight' });
  expect(source()).toContain('/e3/');
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('[TL2] a picture that made room for newer ones says so, and its neighbours are still reached', () => {
  show();
  fireEvent.error(picture());
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByRole('dialog').textContent).toContain('no longer kept');
  fireEvent.click(screen.getByRole('button', { name: 'Later' }));
  expect(source()).toContain('/e3/');
});

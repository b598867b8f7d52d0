import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { InputEvent } from '@/lib/protocol/input';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture(
  '<!doctype html><title>List</title><select aria-label="Size"><option>S<option>M</select>',
);

const keydown = (key: string, code: string): InputEvent => ({
  ...{ type: 'keydown', key, code },
  ...{ location: 0, repeat: false, modifiers: 0 },
});

it('[DI3] a key opens the list of the control to which the key before it moves the focus, though the page has not handled that one yet', async () => {
  const id = await fixture.open();
  const person = fixture.person();
  await ask(person, 'session.join', { session: id });
  const taken = await ask(person, 'control', { session: id, tab: 't1', do: 'take' });
  const epoch = taken.ok ? taken.data.control.epoch : Number.NaN;
  const { input } = fixture.inside(id).registry.find('t1').tab;
  // Chrome has a moment's work before it handles this key.
  vi.spyOn(input, 'dispatchRaw').mockImplementationOnce(async (...event) => {
    await pause(300);
    return input.dispatchRaw(...event);
  });
  const sent = [keydown('Tab', 'Tab'), keydown(' ', 'Space')].map((event) =>
    ask(person, 'input', { session: id, tab: 't1', epoch, geometry: 0, event }),
  );

  expect(await Promise.all(sent)).toMatchObject([
    { ok: true },
    { ok: true, data: { popup: { sort: 'select', label: 'Size' } } },
  ]);
});

import { expect, it } from 'vitest';
import { aSession } from '@/server/testing/kernel';
import { Slot } from '@/server/session/slot';
import { FEATURES } from './list';

it('[SE1] a feature is registered in three lines, is shown, is asked by its slot, and ends with the session', async () => {
  const NOTES = new Slot<string[]>('notes');
  const notes: string[] = [];
  const { session } = await aSession({
    name: 'notes',
    start: (kernel) => {
      NOTES.fill(kernel, notes);
      kernel.onChange.on(() => void notes.push(kernel.name));
      return { view: (view) => ({ ...view, name: `${view.name}, noted` }), dispose: () => void notes.push('gone') };
    },
  });
  session.name = 'Shop';
  const shown = session.view().name;
  session.dispose();

  expect([shown, NOTES.of(session)]).toEqual(['Shop, noted', ['Shop', 'gone']]);
});

it('features end in the reverse order of the list, and no slot without its feature is needed', async () => {
  const ended: string[] = [];
  const feature = (name: string) => ({ name, start: () => ({ dispose: () => void ended.push(name) }) });
  const { session } = await aSession(feature('first'), feature('second'), feature('third'));
  session.dispose();

  expect(ended).toEqual(['third', 'second', 'first']);
  expect(() => new Slot('a recording').of(session)).toThrow('No feature of this session provides "a recording".');
});

it('[T9][AU4] the end of a credential reaches agents and guests whom only a lease of the earlier run names', async () => {
  const gone: string[] = [];
  const named = ['g_1', 'g_2', 'k_1/bot', 'k_2', 'p_1'];
  const { session } = await aSession({
    name: 'wheel',
    start: () => ({ named: () => named, participantGone: (id) => void gone.push(id) }),
  });
  session.credentialEnded({ kind: 'link', id: 'g_1' });
  session.credentialEnded({ kind: 'key', id: 'k_1' });
  session.credentialEnded({ kind: 'cookie', id: 'p_1' });

  expect(gone).toEqual(['g_1', 'k_1/bot']);
});

it('each feature of the list has a name of its own', () => {
  expect(new Set(FEATURES.map(({ name }) => name)).size).toBe(FEATURES.length);
});

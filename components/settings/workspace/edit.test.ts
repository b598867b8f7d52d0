import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import type { WorkspaceSettings } from '@/components/session-client/workspace-api';
import { follow, isChanged, isOvertaken, saveBeside } from './edit';
import { nameProblem } from '@/components/shell/name-problem';

describe('a setting that several admins edit', () => {
  it('[AU2] follows the server until somebody types', () => {
    const fresh = { base: 'Home', draft: 'Home' };
    expect(follow(fresh, 'Home')).toBe(fresh);
    expect(follow(fresh, 'Lab')).toEqual({ base: 'Lab', draft: 'Lab' });
    expect(isOvertaken(fresh, 'Lab')).toBe(false);
  });

  it('[AU2] keeps what was typed, and says that another admin was faster, unless both want the same', () => {
    const typed = { base: 'Home', draft: 'Shop' };
    expect([isChanged(typed), isOvertaken(typed, 'Home'), isOvertaken(typed, 'Lab')]).toEqual([true, false, true]);
    expect(follow(typed, 'Lab')).toBe(typed);
    expect(follow(typed, 'Shop')).toEqual({ base: 'Shop', draft: 'Shop' });
  });
});

describe('saving a setting', () => {
  const state = (name: string, revision: string): WorkspaceSettings => ({
    ...{ id: 'w_1', name, revision, role: 'admin', home: true, first: false, withheld: null },
    policy: { egress: null, idleMs: null, secondFactor: false },
  });
  const pick = ({ name }: WorkspaceSettings) => name;
  const conflict = () => Promise.reject(new WheelhouseError('CONFLICT', 'Changed.'));

  it('[AU2] goes beside what another admin changed of something else', async () => {
    const tried: string[] = [];
    const saved = await saveBeside(
      { revision: 'r1', base: 'Home' },
      {
        pick,
        load: () => Promise.resolve(state('Home', 'r2')),
        save: (revision) => (
          tried.push(revision),
          revision === 'r2' ? Promise.resolve(state('Lab', 'r3')) : conflict()
        ),
      },
    );
    expect([saved.name, tried]).toEqual(['Lab', ['r1', 'r2']]);
  });

  it('[AU2] stops where another admin changed the same', async () => {
    const load = () => Promise.resolve(state('Shop', 'r2'));
    const saving = saveBeside({ revision: 'r1', base: 'Home' }, { pick, load, save: conflict });
    await expect(saving).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

it.each([
  ['', 'empty'],
  [' \u202e\u200b ', 'empty'],
  ['x'.repeat(121), 'long'],
  ['x'.repeat(10_000), 'long'],
  ['x'.repeat(120), undefined],
  ['<b>Ops</b>', undefined],
  ['\u202eOps', undefined],
])('[AU2] a name of a workspace %j: %s', (name, problem) => expect(nameProblem(name)).toBe(problem));

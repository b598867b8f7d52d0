import { expect, it } from 'vitest';
import { CLOSED, readWorkspacePolicy } from './workspace-policy';

it('[GU1] a stored policy is read part by part; what cannot be read is as narrow as it can be, and named', () => {
  const listed = { kind: 'listed', sites: ['example.com'] };
  expect(readWorkspacePolicy('{}')).toEqual({ policy: { secondFactor: false }, unreadable: [] });
  expect(readWorkspacePolicy(JSON.stringify({ egress: listed, idleMs: 600_000, secondFactor: true }))).toEqual({
    ...{ policy: { egress: listed, idleMs: 600_000, secondFactor: true }, unreadable: [] },
  });
  expect(readWorkspacePolicy(JSON.stringify({ egress: { kind: 'new' }, idleMs: 'x', secondFactor: 1 }))).toEqual({
    ...{ policy: { egress: CLOSED, secondFactor: true }, unreadable: ['egress', 'idleMs', 'secondFactor'] },
  });
  for (const text of ['', '{', 'null', '7', '[]'])
    expect(readWorkspacePolicy(text)).toEqual({
      ...{ policy: { egress: CLOSED, secondFactor: true }, unreadable: ['all of it'] },
    });
});

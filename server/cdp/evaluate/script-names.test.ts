import { expect, it } from 'vitest';
import { ScriptNames, tokenOfThisRun } from './script-names';

it('[CO3][BR7] a tab runs scripts of at most 256 agents; agents that have run one there may run more', () => {
  const names = new ScriptNames(tokenOfThisRun);
  const agents = Array.from({ length: 256 }, (_, at) => ({ id: `agent ${at}`, name: 'Agent' }));
  const given = agents.map((agent) => names.use(agent));

  expect(() => names.use({ id: 'one more', name: 'Agent' })).toThrow(
    expect.objectContaining({ code: 'QUOTA', details: { used: 256, cap: 256 } }),
  );
  expect(agents.map((agent) => names.use(agent))).toEqual(given);
  expect(new Set(given).size).toBe(256);
});

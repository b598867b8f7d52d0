import { describe, expect, it } from 'vitest';
import { staleModules } from './dependencies.mjs';

const wanted = {
  packages: {
    '': { name: 'wheelhouse' },
    'node_modules/next': { version: '2.0.0', integrity: 'sha512-n' },
    'node_modules/vitest': { version: '1.0.0', integrity: 'sha512-v', dev: true },
    'node_modules/only-on-mac': { version: '1.0.0', integrity: 'sha512-m', optional: true },
  },
};
const next = { 'node_modules/next': { version: '2.0.0', integrity: 'sha512-n' } };
const vitest = { 'node_modules/vitest': { version: '1.0.0', integrity: 'sha512-v', dev: true } };

describe('[OP1] what has to be installed', () => {
  it('is nothing when all that is needed here stands at its version', () => {
    expect(staleModules(wanted, { packages: { ...next, ...vitest } }, { dev: true })).toEqual([]);
  });

  it('is everything when nothing was installed or the install was cut short', () => {
    expect(staleModules(wanted, undefined, { dev: true })).toEqual(['node_modules/next', 'node_modules/vitest']);
  });

  it('is what has another version or another content', () => {
    const older = { 'node_modules/next': { version: '1.9.0', integrity: 'sha512-n' } };
    const other = { 'node_modules/next': { version: '2.0.0', integrity: 'sha512-x' } };
    expect([older, other].map((installed) => staleModules(wanted, { packages: installed }, { dev: false }))).toEqual([
      ['node_modules/next'],
      ['node_modules/next'],
    ]);
  });

  it('leaves development packages out when only a built server is started', () => {
    expect([true, false].map((dev) => staleModules(wanted, { packages: next }, { dev }))).toEqual([
      ['node_modules/vitest'],
      [],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { nodeVersionProblem } from './node-version.mjs';

describe('[OP1] the Node version', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.21.0', '26.0.0'])('%s will do', (version) => {
    expect(nodeVersionProblem(version)).toBeUndefined();
  });

  it.each(['16.20.2', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    '%s is refused in one sentence with the cure',
    (version) => {
      expect(nodeVersionProblem(version)).toBe(
        `Wheelhouse needs Node 20.19 or newer (22.12 or newer, and 24, are fine too) and this is Node ${version}: ` +
          'install Node 24 from https://nodejs.org, or with `nvm install 24`, and run the command again.',
      );
    },
  );
});

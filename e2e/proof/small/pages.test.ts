import { expect, it } from 'vitest';
import { CAMPAIGNS } from '../campaigns';
import { playSmall, SMALL } from './small';

playSmall('pages');

/**
 * T26 needs a real nginx, which a machine may lack; `behind-proxy.test.ts` plays the hops with a proxy of Node. F31
 * starts six servers; `lock.test.ts` and `server-restart.test.ts` play a second server, live, stopped and dead.
 */
const ONLY_IN_PROOF: ReadonlySet<string> = new Set(['T26', 'F31']);

it('every campaign but two is played by one of these files', () => {
  const played = Object.values(SMALL).flatMap((rounds) => Object.keys(rounds));
  const all = CAMPAIGNS.map(({ id }) => id).filter((id) => !ONLY_IN_PROOF.has(id));

  expect(played.toSorted()).toEqual(all.toSorted());
});

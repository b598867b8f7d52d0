import { expect, it } from 'vitest';
import { CAMPAIGNS } from '../campaigns';
import { playSmall, SMALL } from './small';

playSmall('pages');

/** It needs a real nginx, which a machine may lack; `behind-proxy.test.ts` plays the hops with a proxy of Node. */
const ONLY_IN_PROOF = 'T26';

it('every campaign but that of nginx is played by one of these files', () => {
  const played = Object.values(SMALL).flatMap((rounds) => Object.keys(rounds));
  const all = CAMPAIGNS.map(({ id }) => id).filter((id) => id !== ONLY_IN_PROOF);

  expect(played.toSorted()).toEqual(all.toSorted());
});

import { expect, it } from 'vitest';
import { CAMPAIGNS } from '../campaigns';
import { playSmall, SMALL } from './small';

playSmall('pages');

it('every campaign is played by one of these files', () => {
  const played = Object.values(SMALL).flatMap((rounds) => Object.keys(rounds));

  expect(played.toSorted()).toEqual(CAMPAIGNS.map(({ id }) => id).toSorted());
});

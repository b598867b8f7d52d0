import { expect, it } from 'vitest';
import { CAMPAIGNS } from '../campaigns';
import { playSmall, SMALL } from './small';

playSmall('pages');

/**
 * Campaigns whose single round would only repeat other tests, by those: a killed Chrome and a crashed page
 * (`recovery.test.ts`, `page-crash.test.ts`), a console flood (`http/flood.test.ts`, `buffers.test.ts`), one of twelve
 * floods (`flood-watch.test.ts`, which leaves to the proof how long a neighbour waits), mutated conversations
 * (`attach-hostile.test.ts`), a second server (`lock.test.ts`, `server-restart.test.ts`), a server that is killed
 * (`server-restart.test.ts`, `journal.test.ts`, `resend.test.ts`, and the story of it in `cockpit.spec.ts`), many
 * comments (`comments.test.ts` of the feature), all ends of share links (one of them in T9). T26 needs a real nginx,
 * which a machine may lack; `behind-proxy.test.ts` plays the hops with a proxy of Node.
 */
const ONLY_IN_PROOF: ReadonlySet<string> = new Set([
  ...['F1', 'F3', 'F11', 'F25', 'FLOODS', 'R7', 'F31', 'T26', 'TL3', 'T9-LINKS'],
]);

it('every campaign that says more than another test is played by one of these files', () => {
  const played = Object.values(SMALL).flatMap((rounds) => Object.keys(rounds));
  const all = CAMPAIGNS.map(({ id }) => id).filter((id) => !ONLY_IN_PROOF.has(id));

  expect(played.toSorted()).toEqual(all.toSorted());
});

import type { Feature } from '@/server/session/feature';
import { actionPictures } from './action-pictures/action-pictures';
import { blockedRequests } from './blocked-requests/blocked-requests';
import { crashReload } from './crash-reload/crash-reload';
import { dialogs } from './dialogs/dialog-policy';
import { floods } from './floods/flood-watch';
import { leftBehind } from './left-behind/left-behind';
import { presence } from './presence/presence';
import { refusals } from './refusals/refusal-limiter';
import { stuck } from './stuck/stuck-watch';

/**
 * What every session does beside carrying out actions, in the order in which each is told of what happens. They end in
 * the reverse order. A new one goes to the end, unless it says here why it is earlier.
 */
export const FEATURES: readonly Feature[] = [
  presence,
  leftBehind,
  dialogs,
  crashReload,
  refusals,
  stuck,
  // After `stuck`: of a page that floods its Chrome that is shown, whatever its agent does.
  floods,
  blockedRequests,
  actionPictures,
];

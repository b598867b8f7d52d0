import type { Feature } from '@/server/session/feature';
import { actionPictures } from './action-pictures/action-pictures';
import { blockedRequests } from './blocked-requests/blocked-requests';
import { control } from './control/handover';
import { dialogs } from './dialogs/dialog-policy';
import { files } from './files/file-transfers';
import { floods } from './floods/flood-watch';
import { help } from './help/help-requests';
import { inputRecorder } from './input-recorder/input-log';
import { leftBehind } from './left-behind/left-behind';
import { presence } from './presence/presence';
import { privacy } from './privacy/privacy';
import { rawInput } from './raw-input/input-gate';
import { receipts } from './receipts/receipts';
import { crashReload } from './recovery/crash-reload';
import { recovery } from './recovery/recovery';
import { refusals } from './refusals/refusal-limiter';
import { stuck } from './stuck/stuck-watch';
import { pageNotes } from './timeline/page-notes';
import { traces } from './traces/traces';

/**
 * What every session does beside carrying out actions, in the order in which each is told of what happens. They end in
 * the reverse order. A new one goes to the end, unless it says here why it is earlier.
 */
export const FEATURES: readonly Feature[] = [
  // First: a page is covered before anybody hears that its wheel has changed hands.
  privacy,
  files,
  traces,
  // Before `control`: what somebody did comes before the row that says that they lost the wheel.
  inputRecorder,
  receipts,
  control,
  // After `control`: what is armed was put aside, and the row of the wheel comes before those of what was stopped.
  leftBehind,
  help,
  presence,
  pageNotes,
  dialogs,
  crashReload,
  refusals,
  stuck,
  // After `stuck`: of a page that floods its Chrome that is shown, whatever its agent does.
  floods,
  blockedRequests,
  actionPictures,
  rawInput,
  // Last, so it ends first: it saves what the others still have.
  recovery,
];

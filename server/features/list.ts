import type { Feature } from '@/server/session/feature';
import { actionPictures } from './action-pictures/action-pictures';
import { blockedRequests } from './blocked-requests/blocked-requests';
import { comments } from './comments/comments';
import { control } from './control/handover';
import { dialogs } from './dialogs/dialog-policy';
import { files } from './files/file-transfers';
import { floods } from './floods/flood-watch';
import { help } from './help/help-requests';
import { idle } from './idle/idle-limit';
import { inputRecorder } from './input-recorder/input-log';
import { leftBehind } from './left-behind/left-behind';
import { presence } from './presence/presence';
import { privacy } from './privacy/privacy';
import { rawInput } from './raw-input/input-gate';
import { receipts } from './receipts/receipts';
import { crashReload } from './recovery/crash-reload';
import { recovery } from './recovery/recovery';
import { refusals } from './refusals/refusal-limiter';
import { streams } from './streams/streams';
import { stuck } from './stuck/stuck-watch';
import { outgoing } from './outgoing/outgoing';
import { pause } from './pause/agents-pause';
import { pageNotes } from './timeline/page-notes';
import { traces } from './traces/traces';

/**
 * The features of every session, in the order in which each receives events; they end in reverse order. Add a new one
 * right before `recovery`, or state here why it comes earlier.
 */
export const FEATURES: readonly Feature[] = [
  // First: a page must be covered before any other feature hears of the lease change.
  privacy,
  files,
  traces,
  // Before `control`: the row of a participant's work comes before the row of their lost lease.
  inputRecorder,
  receipts,
  control,
  // After `control`: held keys are released before an agent waits.
  pause,
  // After `control`: armed answers are already put aside, and the row of the lease comes before the rows of stopped
  // scripts.
  leftBehind,
  help,
  presence,
  pageNotes,
  dialogs,
  crashReload,
  refusals,
  stuck,
  // After `stuck`: a flood is shown instead of a stuck agent.
  floods,
  blockedRequests,
  actionPictures,
  rawInput,
  streams,
  idle,
  outgoing,
  comments,
  // Last, so that it ends first and saves the state that the others still have.
  recovery,
];

import { forgedAcks } from './forged-acks';
import { guesses } from './guesses';
import { handshakes } from './handshakes';
import { nginxProxy } from './nginx-proxy';
import { mutatedEndpoints } from './mutated-endpoints';
import { parkedFloods } from './parked-floods';
import { pageDialogs } from './page-dialogs';
import type { Campaign } from './campaign';
import { pageCrashes } from './page-crashes';
import { connectionCuts } from './connection-cuts';
import { floods } from './floods';
import { simultaneousTakes } from './simultaneous-takes';
import { hangs } from './hangs';
import { hostile } from './hostile';
import { chromeKilled } from './chrome-killed';
import { isolation } from './isolation';
import { leftScripts } from './left-scripts';
import { manyComments } from './many-comments';
import { model, modelOnSlowStore } from './model';
import { promises } from './promises';
import { linkEnds, revocation } from './revocation';
import { serverRestarts } from './server-restarts';
import { secondServer } from './second-server';
import { sleepingAgent } from './sleeping-agent';
import { consoleFlood } from './console-flood';
import { typedSecrets } from './typed-secrets';
import { waysOut } from './ways-out';

/** Every campaign. A further fault is a file of its own and one entry here. */
export const CAMPAIGNS: readonly Campaign[] = [
  chromeKilled,
  pageCrashes,
  hangs,
  promises,
  pageDialogs,
  connectionCuts,
  serverRestarts,
  forgedAcks,
  simultaneousTakes,
  sleepingAgent,
  consoleFlood,
  floods,
  parkedFloods,
  secondServer,
  leftScripts,
  waysOut,
  typedSecrets,
  hostile,
  mutatedEndpoints,
  handshakes,
  nginxProxy,
  guesses,
  revocation,
  linkEnds,
  isolation,
  manyComments,
  model,
  modelOnSlowStore,
];

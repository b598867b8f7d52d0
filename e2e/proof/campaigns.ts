import { acks } from './acks';
import { asked } from './asked';
import type { Campaign } from './campaign';
import { crashed } from './crashed';
import { cuts } from './cuts';
import { floods } from './floods';
import { grabs } from './grabs';
import { hangs } from './hangs';
import { hostile } from './hostile';
import { killed } from './killed';
import { left } from './left';
import { model } from './model';
import { promises } from './promises';
import { restarted } from './restarted';
import { second } from './second';
import { sleeper } from './sleeper';
import { spam } from './spam';
import { typedSecrets } from './typed-secrets';
import { waysOut } from './ways-out';

/** Every campaign there is, in the order of quality.md. Another fault is another file, and one entry here. */
export const CAMPAIGNS: readonly Campaign[] = [
  killed,
  crashed,
  hangs,
  promises,
  asked,
  cuts,
  restarted,
  acks,
  grabs,
  sleeper,
  spam,
  floods,
  second,
  left,
  waysOut,
  typedSecrets,
  hostile,
  model,
];

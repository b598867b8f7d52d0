import { z } from 'zod';
import { download, upload } from './files';
import { fill } from './fill';
import { check, select } from './forms';
import { evaluate, extract, pdf, screenshot, snapshot } from './look';
import { dialog, history, navigate, resize, scroll, search, tab } from './navigation';
import { click, drag, focus, highlight, hover, scrollIntoView } from './pointer';
import { none, stop } from './small';
import { remedy } from './remedy';
import { clipboard, cookies, emulate, storage, trace } from './state';
import { press, type } from './text';
import { wait } from './wait';

/** Kinds that do nothing to a page; documents list them last. */
export const IDLE_KINDS = [none, stop] as const;

/** Every other kind that does one thing; one schema per kind, one file of them per family. */
export const SINGLE_KINDS = [
  click,
  hover,
  focus,
  highlight,
  scrollIntoView,
  drag,
  type,
  press,
  check,
  select,
  fill,
  navigate,
  history,
  scroll,
  wait,
  evaluate,
  extract,
  search,
  snapshot,
  screenshot,
  pdf,
  tab,
  dialog,
  upload,
  download,
  resize,
  cookies,
  storage,
  clipboard,
  emulate,
  trace,
  remedy,
] as const;

const single = z.discriminatedUnion('kind', [...SINGLE_KINDS, ...IDLE_KINDS]);
export type SingleAction = z.infer<typeof single>;

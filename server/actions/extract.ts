import { maskAddresses } from '@/lib/text/mask';
import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { cleanLines, cleanText } from '@/lib/text/clean';
import { injectedCall, type PageWorld } from '@/server/browser/target/world';
import { withElement, optionalElement } from './resolved-target';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { rectSchema } from '@/server/browser/target/probed';

export const extract = defineAction({ kind: 'extract', settles: false, queued: false, run: runExtract });

/** Characters that are given unless the caller says how many. */
const MOST_CHARS = 20_000;

const extracted = z.object({
  text: z.string().optional(),
  links: z.array(z.object({ text: z.string(), url: z.string() })).optional(),
  tables: z.array(z.object({ headers: z.array(z.string()), rows: z.array(z.array(z.string())) })).optional(),
  attrs: z.record(z.string(), z.string()).optional(),
  frames: z.number(),
  masked: z.number(),
});
type Extracted = z.infer<typeof extracted>;

/**
 * Page-made text, bounded and cleaned (GU3); secrets stay in the page (SN6). Without a target the page's frames are
 * read too, each by itself.
 */
async function runExtract(context: ActionContext, action: ActionOf<'extract'>): Promise<HandlerResult> {
  const { tab } = context;
  const most = action.maxChars ?? MOST_CHARS;
  const target = optionalElement(action);
  const base = { what: action.what, url: maskAddresses(tab.url), title: maskAddresses(tab.title) };
  if (!target) {
    const { value, masked, warnings } = await wholePage(context, action.what, most);
    return { value: { ...base, ...value, ...(masked > 0 ? { masked } : {}) }, warnings };
  }
  const found = await context.budget.during('the page to be read', () =>
    withElement(context, target, (element) =>
      element.ask(context.budget, extracted, 'extract', 'of', { value: action.what }, { value: most }),
    ),
  );
  return {
    value: { ...base, ...shown(found, most), ...(found.masked > 0 ? { masked: found.masked } : {}) },
    warnings: warningsOf(found, most, found.frames),
  };
}

/** The frames, in their order, get the part of the allowed characters that the page left. */
async function wholePage(context: ActionContext, what: ActionOf<'extract'>['what'], most: number) {
  const { tab, budget } = context;
  const ask = (within: Budget, world: PageWorld): Promise<Extracted> =>
    world.call(within, extracted, injectedCall('extract', 'page', { value: what }, { value: most }));
  const [page, inside] = await budget.during('the page to be read', () =>
    Promise.all([
      tab.worlds.use(budget, tab.page.document.frameId, (world) => ask(budget, world)),
      readFrames(context, ask),
    ]),
  );
  let left = most - sizeOf(shown(page, most));
  const frames = inside.read.map(({ found, ...about }) => {
    const part = shown(found, Math.max(0, left));
    left -= sizeOf(part);
    return { ...about, ...part };
  });
  return {
    value: { ...shown(page, most), ...(frames.length > 0 ? { frames } : {}) },
    masked: inside.read.reduce((sum, { found }) => sum + found.masked, page.masked),
    warnings: warningsOf(page, most, inside.left),
  };
}

/** Characters. */
function sizeOf(part: object): number {
  return 'text' in part && typeof part.text === 'string' ? part.text.length : JSON.stringify(part).length;
}

function shown({ text, links, tables, attrs }: Extracted, most: number): object {
  if (text !== undefined)
    return {
      text: cleanLines(text.slice(0, most), most),
      chars: Math.min(text.length, most),
      ...(text.length > most ? { truncated: true } : {}),
    };
  if (links)
    return within(
      links.map((link) => ({ text: cleanText(link.text, 300), url: cleanText(link.url, 2_048) })),
      'links',
      most,
    );
  if (tables)
    return within(
      tables.map(({ headers, rows }) => ({ headers: headers.map(cell), rows: rows.map((row) => row.map(cell)) })),
      'tables',
      most,
    );
  return {
    attrs: Object.fromEntries(
      Object.entries(attrs ?? {}).map(([name, value]) => [cleanText(name, 100), cleanText(value, 2_000)]),
    ),
  };
}

function cell(text: string): string {
  return cleanText(text, 1_000);
}

/** As many entries as fit into the allowed characters. */
function within(all: readonly object[], name: string, most: number): object {
  let left = most;
  const fitting = all.filter((entry) => {
    left -= JSON.stringify(entry).length;
    return left >= 0;
  });
  return { [name]: fitting, count: all.length, ...(fitting.length < all.length ? { truncated: true } : {}) };
}

/** `frames`: those in it whose content is not. */
function warningsOf({ text }: Extracted, most: number, frames: number): string[] {
  const cut =
    text !== undefined && text.length > most
      ? [`Only the first ${most} characters are given: ask for more by maxChars, or name a part of the page.`]
      : [];
  return frames > 0
    ? [...cut, `The content of ${frames} frame${frames === 1 ? '' : 's'} is not included: name an element inside.`]
    : cut;
}

/** Frames that are read beside the page, and what all of them may take of the caller's time. */
const LIMITS = { frames: 20, share: 0.5, mostMs: 3_000 } as const;

/** The content of one subframe. */
interface FrameRead<T> {
  /** As a snapshot labels it, once one did. */
  readonly frame?: string;
  readonly url: string;
  readonly found: T;
}

interface FramesRead<T> {
  readonly read: readonly FrameRead<T>[];
  /** Frames in the page that could not be read in time, or are too many. */
  readonly left: number;
}

/**
 * Reads all subframes of the page that are shown, of whatever process and at any depth, at once; one that hangs costs
 * only itself. Throws what ends the budget.
 */
async function readFrames<T>(
  { tab, budget }: Pick<ActionContext, 'tab' | 'budget'>,
  read: (budget: Budget, world: PageWorld) => Promise<T>,
): Promise<FramesRead<T>> {
  const frames = tab.frames.list().slice(1);
  const patience = budget.child(Math.min(LIMITS.mostMs, budget.remainingMs() * LIMITS.share));
  const one = async (frameId: string): Promise<T | 'away' | undefined> => {
    try {
      return await patience.race(
        tab.worlds.use(patience, frameId, async (world) =>
          (await isShown(patience, world)) ? read(patience, world) : ('away' as const),
        ),
      );
    } catch {
      return undefined;
    }
  };
  try {
    const answers = await Promise.all(
      frames.slice(0, LIMITS.frames).map(async ({ frameId, url }) => ({ frameId, url, found: await one(frameId) })),
    );
    budget.check();
    const found = answers.flatMap(({ frameId, url, found: said }): FrameRead<T>[] => {
      const label = tab.snapshots.labelOf(frameId);
      return said === undefined || said === 'away'
        ? []
        : [{ ...(label === undefined ? {} : { frame: label }), url: cleanText(url, 2_048), found: said }];
    });
    return { read: found, left: frames.length - answers.filter(({ found: said }) => said !== undefined).length };
  } finally {
    patience.dispose();
  }
}

/** A frame that is not rendered has no room. */
async function isShown(budget: Budget, world: PageWorld): Promise<boolean> {
  const { width, height } = await world.call(budget, rectSchema, injectedCall('boxes', 'viewport'));
  return width > 1 && height > 1;
}

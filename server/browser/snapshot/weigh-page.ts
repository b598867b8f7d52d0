import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { WEIGHT_LIMITS, type PageWeight } from '@/lib/snapshot/weight';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameInfo } from './frames';
import { pageScript } from './page/script';
import { addTexts, attributeChars, weighDocument } from './page/weigh';
import type { Worlds } from './worlds';

const weightSchema = z.object({ elements: z.number(), nodes: z.number(), chars: z.number() });
type DocumentWeight = z.infer<typeof weightSchema>;

const SCRIPT = pageScript(weighDocument, [addTexts, attributeChars], [WEIGHT_LIMITS.elements, WEIGHT_LIMITS.nodes, WEIGHT_LIMITS.chars]);

/** Counts the documents of a target (SN10): about a millisecond for an ordinary page, 25 for one at the limit. CDP: `Memory.getDOMCounters`. */
export async function weighPage(budget: Budget, session: CdpSession, worlds: Worlds, frames: readonly FrameInfo[]): Promise<PageWeight> {
  const [counters, ...weights] = await budget.during('the page to be counted', () =>
    Promise.all([session.sendMayFail('Memory.getDOMCounters'), ...frames.map((frame) => weighFrame(budget, session, worlds, frame))]),
  );
  const sum = (pick: (weight: DocumentWeight) => number): number => weights.reduce((total, weight) => total + pick(weight), 0);
  return { elements: sum((weight) => weight.elements), nodes: sum((weight) => weight.nodes), chars: sum((weight) => weight.chars), processNodes: counters?.nodes ?? 0 };
}

/** What cannot be counted counts as endless: nothing large is asked for on a guess. */
const UNCOUNTED: DocumentWeight = { elements: Number.POSITIVE_INFINITY, nodes: 0, chars: 0 };

async function weighFrame(budget: Budget, session: CdpSession, worlds: Worlds, frame: FrameInfo): Promise<DocumentWeight> {
  const contextId = await worlds.of(budget, frame);
  const { result } = await session.send('Runtime.evaluate', { expression: SCRIPT, contextId, returnByValue: true });
  const parsed = weightSchema.safeParse(result.value);
  return parsed.success ? parsed.data : UNCOUNTED;
}

import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { CdpSession } from '@/server/cdp/session';
import { drawLabels, type DrawnLabel } from './page/draw-labels';

export interface PictureToLabel {
  /** A PNG. */
  readonly base64: string;
  /** The wanted format, with its quality from 1 to 100. */
  readonly format: 'png' | 'jpeg' | 'webp';
  readonly quality: number | undefined;
  /** Width in CSS pixels; undefined for a picture of the viewport. */
  readonly cssWidth: number | undefined;
}

const DEFAULT_QUALITY = 80;
// tsx and esbuild wrap inner functions in a helper called `__name` when they keep names.
const DRAW = `function (...args) { const __name = (target) => target; return (${drawLabels.toString()})(...args); }`;

/**
 * Draws labels on a picture, in Chrome itself (docs/decisions.md, 17): in an isolated world of the frame, which the
 * page cannot see. Throws TIMEOUT, TAB_*, INTERNAL.
 */
export async function labelPicture(
  budget: Budget,
  session: CdpSession,
  frameId: string,
  picture: PictureToLabel,
  labels: readonly DrawnLabel[],
): Promise<string> {
  return budget.during('the labels on the picture', async () => {
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: 'wheelhouse-labels',
    });
    const { base64, format, quality = DEFAULT_QUALITY, cssWidth = 0 } = picture;
    const args = [base64, `image/${format}`, quality / 100, cssWidth, labels].map((value) => ({ value }));
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: DRAW,
      executionContextId,
      arguments: args,
      awaitPromise: true,
      returnByValue: true,
    });
    const drawn: unknown = result.value;
    if (exceptionDetails === undefined && typeof drawn === 'string' && drawn !== '') return drawn;
    throw new WheelhouseError('INTERNAL', 'The labels could not be drawn.', {
      cause: new Error(exceptionDetails?.exception?.description ?? 'no canvas'),
    });
  });
}

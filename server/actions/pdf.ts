import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { CdpError } from '@/server/cdp/protocol';
import { defineAction, type ActionContext, type HandlerResult } from './context';

export const pdf = defineAction({ kind: 'pdf', settles: false, queued: false, run: runPdf });

/** The largest document that is given, bytes. It comes in pieces, so that no more than that is ever held. */
const MAX_BYTES = 20 * 1_048_576;
const PIECE_BYTES = 1_048_576;

/** Width and height in inches. */
const PAPER = {
  a3: [11.69, 16.54],
  a4: [8.27, 11.69],
  a5: [5.83, 8.27],
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
} as const;

/** On the bulk lane: a long document keeps no click waiting. Source: Page.printToPDF, IO.read. */
async function runPdf(
  context: ActionContext,
  { landscape = false, background = true, paper = 'a4' }: ActionOf<'pdf'>,
): Promise<HandlerResult> {
  const { tab, budget } = context;
  const [paperWidth, paperHeight] = PAPER[paper];
  try {
    const { stream } = await budget.during('the page to be printed', () =>
      tab.sessions.bulk.send('Page.printToPDF', {
        landscape,
        printBackground: background,
        paperWidth,
        paperHeight,
        transferMode: 'ReturnAsStream',
      }),
    );
    if (stream === undefined) throw new WheelhouseError('UNSUPPORTED', 'This Chrome gives no PDF.');
    const bytes = await readAll(context, stream);
    return { value: { bytes: bytes.byteLength, base64: bytes.toString('base64') } };
  } catch (error) {
    if (error instanceof CdpError && /not implemented|not supported|PrintToPDF/i.test(error.detail))
      throw new WheelhouseError('UNSUPPORTED', 'This Chrome cannot print to PDF; a headless one can.', {
        cause: error,
      });
    throw error;
  }
}

async function readAll({ tab, budget }: ActionContext, handle: string): Promise<Buffer> {
  const { bulk } = tab.sessions;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for (;;) {
      const { data, eof, base64Encoded } = await budget.during('the PDF', () =>
        bulk.send('IO.read', { handle, size: PIECE_BYTES }),
      );
      const piece = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      size += piece.byteLength;
      if (size > MAX_BYTES)
        throw new WheelhouseError('TOO_LARGE', `The PDF is larger than ${MAX_BYTES} bytes.`, {
          details: { limit: MAX_BYTES },
        });
      pieces.push(piece);
      if (eof) return Buffer.concat(pieces);
    }
  } finally {
    void bulk.sendMayFail('IO.close', { handle });
  }
}

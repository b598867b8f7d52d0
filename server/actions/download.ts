import type { ActionOf } from '@/lib/actions/kinds';
import { nameProblem } from '@/lib/files/file-name';
import type { DownloadView } from '@/lib/files/views';
import { fromWire, WheelhouseError } from '@/lib/errors/error';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** Waits for a file, and clicks first when asked; the click goes through the funnel like one that came alone. */
export const download = defineAction({
  kind: 'download',
  settles: false,
  queued: false,
  nests: true,
  run: runDownload,
});

async function runDownload(context: ActionContext, action: ActionOf<'download'>): Promise<HandlerResult> {
  const { budget, tab, files } = context;
  const problem = action.saveAs === undefined ? undefined : nameProblem(action.saveAs);
  if (problem !== undefined)
    throw new WheelhouseError('PATH_DENIED', `"saveAs" ${problem}.`, {
      details: { fields: [{ field: 'saveAs', problem }] },
    });
  const mark = action.do === 'click' ? files.downloads.mark() : undefined;
  if (action.do === 'click') await click(context, action);
  const done = await files.downloads.next(budget, tab.id, mark);
  if (!done.file) return ownFolder(files.viewOf(done), action.saveAs);
  const kept = action.saveAs !== undefined ? await files.sessionFiles.rename(done.file.name, action.saveAs) : done.file;
  return { value: { ...kept, url: files.viewOf(done).url } };
}

/**
 * In the default context of an attached Chrome the download is reported and stays in the folder that its owner chose.
 */
function ownFolder({ name, received, url }: DownloadView, saveAs: string | undefined): HandlerResult {
  const value = { name, size: received, url, kept: false };
  return {
    value,
    warnings: [
      `This Chrome is attached and keeps its downloads in a folder of its own${saveAs === undefined ? '' : ', under its own names'}.`,
    ],
  };
}

async function click(context: ActionContext, action: ActionOf<'download'>): Promise<void> {
  const { ref, role, name, nth, selector, frame, node } = action;
  const step = { kind: 'click' as const, ref, role, name, nth, selector, frame, node };
  const reply = await context.perform(step, { asWritten: step, resolved: true, settle: false });
  if (reply.error) throw fromWire(reply.error);
}

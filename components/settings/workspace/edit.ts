import { asWheelhouseError } from '@/lib/errors/error';
import type { WorkspaceSettings } from '@/components/session-client/workspace-api';

/** One setting as it is edited, while other admins may change the same. */
export interface Edit<T> {
  /** What the server had when the edit began. */
  readonly base: T;
  readonly draft: T;
}

/** Values of settings are JSON. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function isChanged<T>({ base, draft }: Edit<T>): boolean {
  return !same(base, draft);
}

/** The edit after the server has told its present value: a value that nobody edits follows it. */
export function follow<T>(edit: Edit<T>, now: T): Edit<T> {
  if (isChanged(edit) && !same(edit.draft, now)) return edit;
  return same(edit.base, now) && same(edit.draft, now) ? edit : { base: now, draft: now };
}

/** Whether another admin changed the setting since the edit began: then a person chooses. */
export function isOvertaken<T>(edit: Edit<T>, now: T): boolean {
  return !same(follow(edit, now).base, now);
}

/** The edit after `sent` was saved as `value`: what the person typed meanwhile stays. */
export function afterSave<T>(present: Edit<T>, sent: Edit<T>, value: T): Edit<T> {
  return { base: value, draft: same(present.draft, sent.draft) ? value : present.draft };
}

/**
 * Saves one setting. When another admin has changed something else of the workspace meanwhile, saves it beside that;
 * when it is this very setting, rejects with the server's CONFLICT.
 * @param seen the state that the editor saw: its revision, and the setting when the edit began
 * @param pick reads the setting
 * @param save stores the draft on top of the state of a revision
 */
export async function saveBeside<T>(
  seen: { readonly revision: string; readonly base: T },
  {
    pick,
    load,
    save,
  }: {
    readonly pick: (settings: WorkspaceSettings) => T;
    readonly load: () => Promise<WorkspaceSettings>;
    readonly save: (revision: string) => Promise<WorkspaceSettings>;
  },
): Promise<WorkspaceSettings> {
  for (let { revision } = seen; ;) {
    try {
      return await save(revision);
    } catch (thrown) {
      if (asWheelhouseError(thrown).code !== 'CONFLICT') throw thrown;
      const now = await load();
      if (now.revision === revision || !same(pick(now), seen.base)) throw thrown;
      ({ revision } = now);
    }
  }
}

import { savedStateSchema, type SavedState } from '@/lib/state/saved';
import type { SealedFiles } from '@/server/store/sealed-files';

/** What an earlier server saved of a session; undefined when there is nothing that can be used. */
export async function readSavedSession(files: SealedFiles, session: string): Promise<SavedState | undefined> {
  const text = await files.read(session);
  if (text === undefined) return undefined;
  const parsed = savedStateSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

import { savedStateSchema, type SavedState } from '@/lib/state/saved';
import type { SealedFiles } from '@/server/store/sealed-files';

/** Reads the state that an earlier server saved of a session; undefined without a usable one. */
export async function readSavedSession(files: SealedFiles, session: string): Promise<SavedState | undefined> {
  const text = await files.read(session);
  if (text === undefined) return undefined;
  const parsed = savedStateSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

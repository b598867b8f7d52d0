'use client';

import { useState } from 'react';
import { useTask } from '@/components/ui/use-task';
import { workspaceApi, type WorkspaceChange, type WorkspaceSettings } from '@/components/session-client/workspace-api';
import { afterSave, follow, isChanged, isOvertaken, saveBeside, type Edit } from './edit';

/** The settings of the workspace as a page shows and changes them. */
export interface LoadedSettings {
  readonly settings: WorkspaceSettings;
  /** This person may not change them. */
  readonly readOnly: boolean;
  /** Takes what the server answered. */
  readonly take: (settings: WorkspaceSettings) => void;
  readonly reload: () => void;
}

export interface Setting<T> {
  readonly draft: T;
  readonly edit: (draft: T) => void;
  readonly changed: boolean;
  /** What another admin made of it since the edit began: the person chooses before anything is saved. */
  readonly theirs: { readonly value: T } | undefined;
  /** Goes on with one's own value, or with that of the other admin. */
  readonly choose: (whose: 'mine' | 'theirs') => void;
  readonly busy: boolean;
  readonly error: unknown;
  readonly save: () => void;
}

/**
 * One setting of the workspace that a person edits and saves (AU2).
 * @param pick reads it
 * @param toChange makes the change that stores it; both must be pure
 */
export function useSetting<T>(
  { settings, readOnly, take, reload }: LoadedSettings,
  pick: (settings: WorkspaceSettings) => T,
  toChange: (draft: T) => WorkspaceChange,
): Setting<T> {
  const now = pick(settings);
  const [kept, setEdit] = useState(() => ({ base: now, draft: now }));
  const task = useTask();
  // A draft of somebody who may not save it any more is not shown.
  const edit = readOnly ? { base: now, draft: now } : follow(kept, now);
  const changed = isChanged(edit);
  const overtaken = isOvertaken(edit, now);
  const change = (next: Edit<T>) => {
    task.forget();
    setEdit(next);
  };
  // The Enter key asks for it also while the bar offers no button for it.
  const save = () => {
    if (!changed || overtaken) return;
    void task.run(
      () =>
        saveBeside(
          { revision: settings.revision, base: edit.base },
          {
            pick,
            load: workspaceApi.settings,
            save: (revision) => workspaceApi.change(toChange(edit.draft), revision),
          },
        ).catch((thrown: unknown) => {
          // What another admin made of it is shown then.
          reload();
          throw thrown;
        }),
      (saved) => {
        const value = pick(saved);
        setEdit((present) => afterSave(present, edit, value));
        take(saved);
      },
    );
  };
  return {
    draft: edit.draft,
    edit: (draft) => change({ base: edit.base, draft }),
    changed,
    theirs: overtaken ? { value: now } : undefined,
    choose: (whose) => change({ base: now, draft: whose === 'mine' ? edit.draft : now }),
    busy: task.busy,
    error: changed && !overtaken ? task.error : undefined,
    save,
  };
}

/** English texts of the settings of a workspace. */
export const workspaceEn = {
  title: 'Workspace',
  lead: 'What holds for everybody in this workspace: its name, where its pages may go, and how long its sessions stay.',
  failed: 'The settings of the workspace could not be loaded.',
  readOnly: 'You can read these settings. Its admins and owners change them.',
  save: 'Save',
  saved: 'Saved.',
  undo: 'Undo',
  saveFailed: 'Nothing was saved.',
  overtaken: {
    title: 'Another admin changed this while you were editing',
    now: 'It is now:',
    mine: 'Keep my change',
    theirs: 'Take theirs',
  },
  name: {
    title: 'Name',
    lead: 'People see it in the header, in invitations and in the log.',
    label: 'Name of the workspace',
    empty: 'A name needs at least one visible character.',
    long: 'A name has at most {most} characters; this one has {n, number}.',
  },
} as const;

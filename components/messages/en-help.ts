/** English texts for what went wrong in a session and what helps. */
export const helpEn = {
  /** The session's Chrome is gone. */
  down: {
    title: 'Chrome is gone',
    lead: 'The browser of this session crashed or was ended from outside. This is the last picture of it.',
    leadShort: 'The browser crashed or was ended from outside',
    offer: 'A new browser opens {tabs, plural, =0 {an empty tab} one {the tab at its address} other {the # tabs at their addresses}}. Sites ask you to sign in again: cookies are not kept yet.',
    attached: 'The Chrome that was attached is not started again; Wheelhouse starts one of its own.',
    start: 'Start a new browser',
    startShort: 'New browser',
    starting: 'Starting a new browser…',
    started: 'A new browser is running.',
    failed: 'No new browser was started',
    end: 'End the session…',
  },
} as const;

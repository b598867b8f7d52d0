/** English texts of problems of a session and of their remedies. */
export const helpEn = {
  /** The session's Chrome is gone. */
  down: {
    guest: 'The pictures come back by themselves once it runs again.',
    title: 'Chrome is gone',
    leadShort: 'The browser crashed or was ended from outside',
    offer:
      'A new browser opens {tabs, plural, =0 {the tabs that were saved, or an empty one} one {the tab at its address} other {the # tabs at their addresses}}. Cookies and local storage are as they were last saved; session storage and IndexedDB are lost.',
    attached:
      'The Chrome that was attached is not started again; Wheelhouse starts one of its own. Nothing of that one was saved: sites ask you to sign in again.',
    offerBare:
      'A new browser opens {tabs, plural, =0 {the tabs that were saved, or an empty one} one {the tab at its address} other {the # tabs at their addresses}}.',
    start: 'Start a new browser',
    startShort: 'New browser',
    starting: 'Starting a new browser…',
    started: 'A new browser is running.',
    failed: 'No new browser was started',
    end: 'End the session…',
  },
  /** The session came back in a new Chrome. */
  blocked: {
    page: 'This page is blocked',
    many: 'Pages of this session try again and again to go where they may not: {count, plural, one {# request} other {# requests}} blocked. See Network and Timeline.',
  },
  restored: {
    title: 'The browser was started anew',
    close: 'Close this note',
  },
  /** How the pages reach the network (GU1). */
  network: {
    closed: 'No network',
    advisory: 'Past the proxy',
    renew: 'New context',
    renewAbout: 'The pages are opened again in a new context, with cookies and local storage as they are',
  },
  /** Menus and pickers that Chrome would draw outside of the page. */
  popup: {
    options: 'Options',
    more: '{n, plural, one {# more option is} other {# more options are}} not shown',
    date: 'Date',
    time: 'Time',
    'datetime-local': 'Date and time',
    month: 'Month',
    week: 'Week',
    color: 'Colour',
    set: 'Set',
    clear: 'Clear',
    cancel: 'Cancel',
    failed: 'That was not chosen',
  },
  /** What the small meter opens into. */
  meter: {
    fps: 'Pictures a second',
    latency: 'Round trip to the server',
    rate: 'Picture data',
    span: 'The last {n} minutes, measured in this window',
    scripts: 'Scripts on this server',
    runs: 'Run',
    mean: 'Mean time',
    timeouts: 'Out of time',
    aborts: 'Cancelled',
    terminated: 'Stuck, ended',
    fallbacks: 'Other engine',
  },
  /** A tab is stuck. */
  remedy: {
    label: 'What can help',
    stopScript: 'Stop the script',
    resume: 'Let it go on',
    reload: 'Reload',
    blank: 'Blank page',
    restart: 'Restart tab',
    reopen: 'Open again',
    close: 'Close the tab',
    more: 'More',
    failed: 'That did not help',
    /** Under each in the menu: what it does and what it costs. */
    about: {
      stopScript: 'Ends the running script. The page and what is typed in it stay.',
      resume: 'The page goes on from its breakpoint.',
      reload: 'Loads the page again. What is typed in it is lost.',
      blank: 'Leaves the page. Go back to return to it.',
      restart: 'The same address in a new tab in its place. The history of the tab is lost.',
      reopen: 'Loads the page that was put aside. It may flood the browser again.',
      close: 'Closes this tab.',
    },
    leaseStays: 'The wheel stays where it is.',
  },
} as const;

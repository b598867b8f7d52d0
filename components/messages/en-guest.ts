/** English texts for guests of a share link (AU4). */
export const guestEn = {
  title: 'Shared with you',
  opening: 'Opening what was shared with you…',
  bar: 'What this link gives you',
  by: '{by} shares this',
  may: 'You may {what}',
  what: { watch: 'watch', drive: 'drive', files: 'use the files', clipboard: 'copy and paste' },
  until: 'Until {time}',
  untilIs: 'The link ends at {time}',
  oneTab: 'This tab only',
  leave: 'Leave',
  name: {
    change: 'Your name here: {name}',
    title: 'Your name here',
    lead: 'The others read “Guest:” before it.',
    label: 'Name',
    wrong: 'Take another name: 1 to 40 characters, and none that Wheelhouse keeps for itself.',
    failed: 'Your name was not changed.',
    save: 'Use this name',
  },
  passcode: {
    heading: 'This link asks for a passcode',
    lead: 'The person who shared it with you has it.',
    label: 'Passcode',
    wrong: 'That is not the passcode of this link.',
    tooOften: 'Too many wrong passcodes came from here. Try again in a quarter of an hour.',
    open: 'Open',
  },
  failed: {
    heading: 'The link could not be opened',
    lead: 'It may still be good. Try it again.',
    what: 'The link was not opened.',
  },
  again: 'Try again',
  back: 'Watch again',
  over: {
    revoked: {
      heading: 'This link has been ended',
      lead: 'The person who shared it ended it. Ask them for a new one if you still need it.',
    },
    expired: {
      heading: 'The time of this link is over',
      lead: 'Ask the person who shared it for a new one if you still need it.',
    },
    session: {
      heading: 'What was shared has ended',
      lead: 'The browser session behind this link is closed. There is nothing more to see.',
    },
    maker: {
      heading: 'This link no longer works',
      lead: 'The person who shared it may not share this any more. Ask them.',
    },
    unknown: {
      heading: 'This address opens nothing',
      lead: 'Open the whole address that you were given, also the part after the #. If you did, ask for a new link.',
    },
    changed: {
      heading: 'This link has a new passcode',
      lead: 'Open the whole address again, and ask the person who shared it for the passcode.',
    },
    full: {
      heading: 'As many people watch as this link allows',
      lead: 'Try again when somebody has left. A place is free about a minute after that.',
    },
    left: {
      heading: 'You have left',
      lead: 'Nobody sees you there any more. As long as the link lasts, you can come back from this page.',
    },
  },
} as const;

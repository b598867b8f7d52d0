/** English texts about what a person may see and do. */
export const rightsEn = {
  needed: {
    title: 'Second factor needed',
    heading: '“{name}” asks for a second factor',
    lead: 'You signed in without one. Everything here waits for you until you have set up codes of an authenticator app or a passkey.',
    cure: 'Set it up in your account',
    other:
      'It takes a minute, and this sign-in counts at once. If you have a passkey or an account at the provider already, sign in with it instead.',
    again: 'Sign in again',
    elsewhere: 'Or go to another workspace:',
  },
  /** On the page of the account. */
  account: {
    needed: '“{name}” asks for a second factor. Set up codes or a passkey on this page: you are let in at once.',
    done: 'Done: “{name}” lets you in.',
    open: 'Open “{name}”',
  },
  /** Pages of the settings that one may not see. */
  hidden: {
    title: 'Not for you to see',
    people: 'Only admins and owners of “{name}” see its people.',
    keys: 'Only members, admins and owners of “{name}” have keys.',
    log: 'Only admins and owners of “{name}” read its log.',
    about: 'Only the owner of this server sees its state.',
    role: 'Your role here is {role}.',
    ask: 'Ask an admin or owner of “{name}” to change your role if you need this page.',
    askServer: 'Ask the person who runs this server.',
    account: 'To your account',
  },
  /** In a cockpit, where one may watch but not drive. */
  watch: {
    taken: 'You can only watch now',
    takenRole: 'Your role was changed to {role}. What you were doing has stopped.',
    takenSession: 'The access to this session was changed. What you were doing has stopped.',
    given: 'You can drive again',
    takenLink: 'The person who shared this changed the link. What you were doing has stopped.',
    givenLink: 'You may drive now',
    askMaker: 'Ask the person who shared this with you.',
    ask: 'Ask an admin, or a moderator of this session, for the right to drive.',
  },
} as const;

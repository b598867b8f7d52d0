/** English texts of what people do between themselves: pausing agents, and keeping a session that nobody uses. */
export const betweenEn = {
  pause: {
    label: 'The agents are paused',
    mine: 'You paused the agents.',
    others: '{name} paused the agents.',
    what: 'Actions of agents wait until you resume. Agents can still read pages',
    pause: 'Pause agents',
    resume: 'Resume',
    failed: 'The agents were not paused',
    resumeFailed: 'The agents were not resumed',
  },
  idle: {
    label: 'This session is about to end',
    ends: 'Nothing happens here: the session ends in {n} s.',
    short: 'Ends in {n} s',
    stay: 'Stay',
    stayFailed: 'The session was not kept',
    limit: 'Ends when idle',
    never: 'Never',
    after: 'After {n, plural, one {# minute} other {# minutes}}',
    afterHours: 'After {n, plural, one {# hour} other {# hours}}',
  },
} as const;

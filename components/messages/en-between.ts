/** English texts of what people do between themselves: pausing agents, and keeping a session that nobody uses. */
export const betweenEn = {
  pause: {
    label: 'The agents are paused',
    mine: 'You paused the agents.',
    others: '{name} paused the agents.',
    what: 'What agents do next waits; what they read does not',
    pause: 'Pause agents',
    resume: 'Resume',
    failed: 'The agents were not paused',
    resumeFailed: 'The agents were not resumed',
  },
} as const;

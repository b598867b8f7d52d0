/** English texts of the people panel. */
export const peopleEn = {
  people: {
    list: 'People and agents here',
    owner: 'Owner',
    agent: 'Agent',
    human: 'Person',
    guest: 'Guest by a link',
    system: 'Server',
    watchingTab: 'looks at {title}',
    away: 'away',
    flagged: 'ignores refusals',
    flaggedNamed: '{name} ignores refusals',
    flaggedWhat:
      '{name} keeps sending actions without having the wheel. The server refuses them all for a while; none of them reaches the page.',
    grants: 'May: {grants}',
    grant: {
      watch: 'watch',
      drive: 'drive',
      evaluate: 'run scripts',
      files: 'use files',
      clipboard: 'use the clipboard',
      share: 'share',
      manage: 'manage',
    },
    empty: 'Nobody is here yet.',
  },
} as const;

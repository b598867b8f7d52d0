/** English texts of the offer of the lease. */
export const offerEn = {
  offer: {
    agent: '{name} is driving',
    free: 'Nobody is driving',
    human: '{name} is driving',
    lead: 'Take the wheel to click and type here.',
    leadAgent: 'Take the wheel to click and type here. The agent stops at once and waits for you.',
    leadHuman: 'Ask for the wheel to click and type here. {name} has a few seconds to answer.',
    take: 'Take the wheel',
    ask: 'Ask for the wheel',
    watch: 'Keep watching',
    label: 'Who drives',
  },
};

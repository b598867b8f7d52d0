/** For the configuration of vitest. */
export { BaseSequencer as LongestFirst } from 'vitest/node';

/** For the configurations of vitest and Playwright: the path of a Chrome that starts. */
export function findChrome(env?: NodeJS.ProcessEnv): string | undefined;

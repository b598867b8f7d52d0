/** Messages of the set-up for the person at the terminal: short lines, and one plain sentence when it cannot go on. */

/** A reason to stop that the person can act on; its message is printed without a stack. */
export class SetupError extends Error {}

/** @param {string} line one line of progress */
export function say(line) {
  process.stdout.write(`  ${line}\n`);
}

/** Runs a script's main function; a SetupError ends the process with its sentence and exit code 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`\n  ${error instanceof SetupError ? error.message : error.stack}\n\n`);
    process.exitCode = 1;
  }
}

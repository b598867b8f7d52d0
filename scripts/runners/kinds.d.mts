/** For the configuration of vitest: every test file, by what it needs. */
export function testKinds(root: string): {
  readonly quick: readonly string[];
  readonly dom: readonly string[];
  readonly chrome: readonly string[];
};

/** The test files that are larger in `npm run proof`. */
export function sizedTests(root: string): string[];

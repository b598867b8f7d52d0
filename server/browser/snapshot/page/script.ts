/**
 * Makes one expression of functions that call each other, to be run inside a page. They must stand alone: no imports, no outer names.
 * Call it in an isolated world: there the page cannot have changed what they use.
 */
export function pageScript(functions: readonly ((...args: never[]) => unknown)[], entry: string, args: readonly number[]): string {
  // tsx and esbuild wrap inner functions in a helper of this name when they keep names.
  const helper = 'const __name = (target) => target;';
  return `(() => { ${helper} ${functions.map(String).join('\n')}\nreturn ${entry}(${args.map(Number).join(', ')}); })()`;
}

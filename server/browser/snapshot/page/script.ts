type PageFunction = (...args: never[]) => unknown;

/**
 * Makes one expression of functions that call each other, to be run inside a page: `main` with numbers for arguments,
 * and with what `last` says where it is called. All must come from one module without imports: bundlers and test
 * runners rewrite the names of what is imported, and only inside code. Run it in an isolated world: there the page
 * cannot have changed what they use.
 */
export function pageScript(
  main: PageFunction,
  helpers: readonly PageFunction[],
  args: readonly number[],
  last = '',
): string {
  // tsx and esbuild wrap inner functions in a helper of this name when they keep names.
  const keepNames = 'const __name = (target) => target;';
  return `(() => { ${keepNames}\n${helpers.map(String).join('\n')}\nreturn (${String(main)})(${[...args, ...(last === '' ? [] : [last])].join(', ')}); })()`;
}

type PageFunction = (...args: never[]) => unknown;

/**
 * Makes one expression of functions that call each other, to run inside a page: calls `main` with numbers as arguments,
 * and with the expression `last` as the last one. All functions must come from one module without imports: bundlers and
 * test runners rewrite imported names, but only inside code. Run it in an isolated world, where the page cannot have
 * changed the built-ins that they use.
 */
export function pageScript(
  main: PageFunction,
  helpers: readonly PageFunction[],
  args: readonly number[],
  last = '',
): string {
  // tsx and esbuild wrap inner functions in a helper called `__name` when they keep names.
  const keepNames = 'const __name = (target) => target;';
  return `(() => { ${keepNames}\n${helpers.map(String).join('\n')}\nreturn (${String(main)})(${[...args, ...(last === '' ? [] : [last])].join(', ')}); })()`;
}

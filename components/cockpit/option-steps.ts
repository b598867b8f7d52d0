interface Choice {
  readonly label: string;
  readonly disabled: boolean;
}

/** Number of options that Page Up and Page Down skip. */
const PAGE = 10;

/** Index of the enabled option that a navigation key leads to; undefined for other keys. */
export function stepOption(options: readonly Choice[], from: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return nearest(options, from + 1, 1) ?? from;
    case 'ArrowUp':
      return nearest(options, from - 1, -1) ?? from;
    case 'PageDown':
      return nearest(options, Math.min(options.length - 1, from + PAGE), -1) ?? from;
    case 'PageUp':
      return nearest(options, Math.max(0, from - PAGE), 1) ?? from;
    case 'Home':
      return nearest(options, 0, 1) ?? from;
    case 'End':
      return nearest(options, options.length - 1, -1) ?? from;
    default:
      return undefined;
  }
}

/**
 * Index of the next enabled option whose label begins with the typed text; searches on from the first after the last.
 * Repeating one letter steps through its options.
 */
export function findByTyping(options: readonly Choice[], from: number, typed: string): number | undefined {
  const letters = [...new Set(typed.toLowerCase())];
  const wanted = letters.length === 1 ? (letters[0] ?? '') : typed.toLowerCase();
  const start = wanted.length === 1 ? from + 1 : from;
  for (let step = 0; step < options.length; step += 1) {
    const at = (start + step) % options.length;
    const option = options[at];
    if (option && !option.disabled && option.label.toLowerCase().startsWith(wanted)) return at;
  }
  return undefined;
}

function nearest(options: readonly Choice[], from: number, step: 1 | -1): number | undefined {
  for (let at = from; at >= 0 && at < options.length; at += step) if (options[at]?.disabled === false) return at;
  return undefined;
}

interface Choice {
  readonly label: string;
  readonly disabled: boolean;
}

/** Options that Page Up and Page Down pass over. */
const PAGE = 10;

/** Where a key leads in a list of options, passing over disabled ones; undefined for keys that do not move. */
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
 * The next option that begins with what was typed, round the end; one letter again and again goes from one to the next.
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

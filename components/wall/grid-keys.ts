/**
 * Index of the card that a key focuses, in a grid of `count` cards in rows of `columns`.
 * @param index card that has the focus; -1 when none has
 * @returns undefined when the key does not move the focus
 */
export function nextCard(key: string, index: number, count: number, columns: number): number | undefined {
  if (count === 0) return undefined;
  const wanted = goal(key, index, count, columns);
  if (wanted === undefined) return undefined;
  if (index < 0) return 0;
  return wanted < 0 || wanted >= count ? edge(key, index, count, columns) : wanted;
}

function goal(key: string, index: number, count: number, columns: number): number | undefined {
  const goals: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
  };
  return goals[key];
}

/**
 * Handles moves beyond an edge: down from the last full row goes to the last card of a shorter row below; other moves
 * keep the focus.
 */
function edge(key: string, index: number, count: number, columns: number): number {
  const rowBelow = Math.floor(index / columns) < Math.floor((count - 1) / columns);
  return key === 'ArrowDown' && rowBelow ? count - 1 : index;
}

/** Number of cards in the first row, from the top edges of all cards in order. */
export function columnsOf(tops: readonly number[]): number {
  const first = tops[0];
  const end = tops.findIndex((top) => top !== first);
  return Math.max(1, end === -1 ? tops.length : end);
}

export interface SparklineProps {
  /** Oldest first, one a second; undefined where nothing was measured. */
  values: readonly (number | undefined)[];
  /** How many fit in it. */
  room: number;
}

const WIDTH = 240;
const HEIGHT = 36;

/**
 * A line of the last values, the newest at the right edge, from 0 to their highest. Decoration: the numbers stand
 * beside it.
 */
export function Sparkline({ values, room }: SparklineProps) {
  const top = Math.max(1, ...values.map((value) => value ?? 0));
  const start = room - values.length;
  const points = values.flatMap((value, at) =>
    value === undefined
      ? []
      : [
          `${(((start + at) / (room - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
        ],
  );
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-9 w-full rounded-xs bg-hover text-agent"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

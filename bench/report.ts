import { ratioOf, type Figure, type BenchLine } from './line';
import { machineText, workText, type OtherWork } from './machine';

export interface Report {
  readonly lines: readonly BenchLine[];
  readonly product: string;
  readonly otherWork: OtherWork;
  readonly date: Date;
}

const HEAD = ['what', 'unit', 'samples', 'plain script', 'Wheelhouse', 'ratio', 'reach'] as const;

/** One Markdown table that is also readable in a terminal. */
export function table(lines: readonly BenchLine[]): string {
  const rows = [HEAD, ...lines.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const print = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head, ...body] = rows.map(print);
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n');
}

/** The whole page for the repository. */
export function page(report: Report): string {
  const kept = report.lines.filter(({ reach }) => reach);
  const met = kept.filter(({ reach }) => reach?.met).length;
  return `# Benchmarks

The last run that was kept, as \`npm run bench -- --write docs/BENCHMARKS.md\` wrote it. [bench/README.md](../bench/README.md) says how each line is measured and what is not measured yet.

- ${report.date.toISOString().slice(0, 10)}, ${machineText(report.product)}.
- ${workText(report.otherWork)}
- ${met} of ${kept.length} reaches are met. Lines without one have none to themselves.
- Times and rates are medians with the p95 behind them; \`never\` means: not within the time that was waited.

${table(report.lines)}
`;
}

/** The notes under the table in the terminal. */
export function footnotes({ product, otherWork }: Pick<Report, 'product' | 'otherWork'>): string {
  const machine = product === '' ? '' : `${machineText(product)}.\n`;
  return `${machine}${workText(otherWork)}`;
}

function cellsOf(line: BenchLine): readonly string[] {
  const { what, unit, base, ours, reach } = line;
  const ratio = ratioOf(line);
  return [
    what,
    unit,
    samples(base, ours),
    cell(base),
    cell(ours),
    Number.isFinite(ratio) && ratio > 0 ? number(ratio) : '–',
    reach ? `${reach.text} ${reach.met ? '✓' : '✗'}` : '–',
  ];
}

function samples(base: Figure, ours: Figure): string {
  return base.count === ours.count ? String(ours.count) : `${base.count} and ${ours.count}`;
}

function cell({ median, p95 }: Figure): string {
  return p95 === undefined || median === Infinity ? number(median) : `${number(median)} (p95 ${number(p95)})`;
}

function number(value: number): string {
  if (value === Infinity) return 'never';
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
  // Three significant digits: a difference of 10 % must show.
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 3);
}

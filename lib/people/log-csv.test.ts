import { describe, expect, it } from 'vitest';
import { CSV_HEADER, csvLine } from './log-csv';
import type { LogRow } from './log-row';

const row = (name: string): LogRow => ({
  ...{ seq: 1, id: 'e_1', at: '2026-01-01T00:00:00.000Z', kind: 'key', door: 'ui', outcome: 'ok' },
  ...{ actor: { id: 'p_1', name, kind: 'human' }, text: `revoked the key “${name}”`, said: undefined },
});
const nameCell = (name: string): string => csvLine(row(name)).split(',')[4] ?? '';

describe('csvLine', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1', '＋1', '－1', '＠1'])(
    '[T13] %j does not begin a formula',
    (name) => {
      expect(nameCell(name)).toBe(`"'${name}"`);
    },
  );

  it.each(['Ada', '1-2', 'a=b', '张三', ''])('leaves %j as it is', (name) => {
    expect(nameCell(name)).toBe(`"${name}"`);
  });

  it('begins with the mark by which spreadsheet programs know UTF-8', () => {
    expect(CSV_HEADER).toMatch(/^\uFEFFseq,at,/u);
  });

  it('quotes quotes and line breaks, and has all columns in each line', () => {
    expect(csvLine({ ...row('a "b"'), text: 'x\ny', about: { id: 'k_1', name: 'bot' }, address: '::1' })).toBe(
      '"1","2026-01-01T00:00:00.000Z","key","ok","a ""b""","p_1","human","x\ny","bot","k_1","ui","::1"\r\n',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { GeometryLedger } from './geometry-ledger';

const wide = { width: 1280, height: 720, pageScale: 1, offsetTop: 0 };
const narrow = { ...wide, width: 800 };

describe('GeometryLedger', () => {
  it('[FR4] keeps its number while size, scale and document stay', () => {
    const ledger = new GeometryLedger();
    expect([ledger.stamp(wide, 1), ledger.stamp({ ...wide }, 2), ledger.current]).toEqual([1, 1, 1]);
  });

  it('[FR4] increases with a new size, scale or document', () => {
    const ledger = new GeometryLedger();
    ledger.stamp(wide, 0);
    expect(ledger.stamp(narrow, 1_000)).toBe(2);
    expect(ledger.stamp({ ...narrow, pageScale: 2 }, 2_000)).toBe(3);
    expect(ledger.documentChanged(3_000)).toBe(4);
    expect(ledger.stamp({ ...narrow, pageScale: 2 }, 3_500)).toBe(4);
    expect(ledger.stamp(wide, 4_000)).toBe(5);
  });

  it('[FR4] a picture of the old document that arrives late keeps the old number', () => {
    const ledger = new GeometryLedger();
    ledger.stamp(wide, 10);
    ledger.documentChanged(20);
    expect(ledger.stamp(wide, 15)).toBe(1);
    expect(ledger.stamp(wide, 25)).toBe(2);
    expect(ledger.stamp(wide, 19)).toBe(1);
  });

  it('[FR4] captures that see a new size a moment apart get one number for it', () => {
    const ledger = new GeometryLedger();
    ledger.stamp(wide, 10);
    expect(ledger.stamp(narrow, 20)).toBe(2);
    expect([ledger.stamp(narrow, 19), ledger.stamp(narrow, 24), ledger.current]).toEqual([2, 2, 2]);
  });

  it('[FR4] a capture that still shows the old size does not make the number swing, a page that has it again does', () => {
    const ledger = new GeometryLedger();
    ledger.stamp(wide, 10);
    ledger.stamp(narrow, 20);
    expect([ledger.stamp(wide, 18), ledger.stamp(wide, 25), ledger.current]).toEqual([1, 1, 2]);
    expect(ledger.stamp(wide, 300)).toBe(3);
  });

  it('[FR4] a late picture of an unknown shape never gets the current number', () => {
    const ledger = new GeometryLedger();
    ledger.stamp(wide, 10);
    ledger.stamp(narrow, 20);
    expect(ledger.stamp({ ...wide, height: 1 }, 15)).toBeLessThan(ledger.current);
  });
});

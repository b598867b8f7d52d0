import { describe, expect, it } from 'vitest';
import { ERROR_TABLE } from './codes';
import { asWheelhouseError, fromWire, messageOf, toWire, WheelhouseError, wireErrorSchema } from './error';

describe('WheelhouseError', () => {
  it('[AC8] takes hint, retry and status from the table, unless a better hint is known', () => {
    expect(new WheelhouseError('COVERED', 'It is covered.')).toMatchObject({
      status: 200,
      retry: 'after-snapshot',
      hint: ERROR_TABLE.COVERED.hint,
      details: undefined,
    });
    expect(new WheelhouseError('COVERED', 'It is covered.', { hint: 'Close the banner.' }).hint).toBe(
      'Close the banner.',
    );
  });

  it('[AC8] keeps its fields over the wire', () => {
    const error = new WheelhouseError('TAB_AMBIGUOUS', 'Two fit.', {
      hint: 'Say more.',
      details: { tabs: ['t1', 't2'] },
    });
    const wire = wireErrorSchema.parse(JSON.parse(JSON.stringify(toWire(error))));
    expect(wire).toEqual({
      code: 'TAB_AMBIGUOUS',
      message: 'Two fit.',
      hint: 'Say more.',
      retry: 'no',
      details: { tabs: ['t1', 't2'] },
    });
    expect(fromWire(wire)).toMatchObject({
      code: 'TAB_AMBIGUOUS',
      message: 'Two fit.',
      hint: 'Say more.',
      retry: 'no',
      details: { tabs: ['t1', 't2'] },
    });
  });

  it('[AC8] sends no details if there are none', () => {
    expect(Object.keys(toWire(new WheelhouseError('TIMEOUT', 'Late.')))).toEqual(['code', 'message', 'hint', 'retry']);
  });

  it('[AC8] keeps a code that only a newer server knows', () => {
    const wire = { code: 'BRAND_NEW', message: 'So it is.', hint: 'Update.', retry: 'no' as const, details: { a: 1 } };
    expect(fromWire(wire)).toMatchObject({
      code: 'INTERNAL',
      message: 'So it is.',
      hint: 'Update.',
      details: { a: 1, code: 'BRAND_NEW' },
    });
  });

  it('[AC8] an internal fault hides its text and keeps its cause for the log', () => {
    const fault = new TypeError('secret path /home/x');
    const shown = asWheelhouseError(fault);
    expect(shown.cause).toBe(fault);
    expect(JSON.stringify(toWire(fault))).not.toContain('secret');
    expect(toWire('thrown text')).toMatchObject({ code: 'INTERNAL', message: 'Something went wrong in the server.' });
    expect(asWheelhouseError(shown)).toBe(shown);
  });

  it('[AC8] reads a message out of anything thrown', () => {
    expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual(['a', 'b', 'undefined']);
  });
});

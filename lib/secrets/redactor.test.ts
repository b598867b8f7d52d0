import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor';
import { redactView, redactValue } from './redact-view';
import { ENCODINGS } from './testing/encodings';

const SECRET = 'p4ss "w&rd/ü\\+<x>';

describe('Redactor', () => {
  it.each(Object.entries(ENCODINGS))('[T14] finds a secret in %s, in any surrounding text', (_, encode) => {
    const redactor = new Redactor([SECRET]);
    for (const around of ['', 'a', '%', '\\', '"x', '+=']) {
      const text = redactor.text(`${around}${encode(SECRET)}${around}`);
      for (const spelled of Object.values(ENCODINGS)) expect(text).not.toContain(spelled(SECRET).slice(3, 12));
      expect(text).toContain('•••');
    }
  });

  it('[T14] finds any secret in any encoding in any text', () => {
    const secret = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(...'aZ09%&"\\+ </é密'),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
        minLength: 6,
        maxLength: 90,
      })
      .filter((text) => text.trim() === text && text.length >= 6 && !/\p{Cs}/u.test(text));
    const around = fc.string({ maxLength: 10 });
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...Object.values(ENCODINGS)),
        around,
        around,
        ([first = '', ...others], encode, before, after) => {
          const written = encode(first);
          const text = new Redactor([first, ...others]).text(`${before}\n${written}\n${after}`);
          return !text.includes(written) && text.includes('•••');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('[T14] masks overlapping secrets together, and the beginning of a secret where a text was cut', () => {
    expect(new Redactor(['abcdef', 'cdefghij']).text('xabcdefghijx')).toBe('x•••x');
    expect(new Redactor(['hunter2zebra']).text('typed hunter2z…(+40)')).toBe('typed •••…(+40)');
  });

  it('[T14] finds a secret as a form trims it, and as our cleaning folds it', () => {
    const redactor = new Redactor([' hunter2  zebra\n']);
    expect(redactor.text('is hunter2  zebra, is hunter2 zebra.')).toBe('is •••, is •••.');
  });

  it('[T14] masks the beginning of a secret from three quarters of its length on', () => {
    expect(new Redactor(['hunter2zebra']).text('hunter2zebr, hunter2ze, hunter2z')).toBe('•••, •••, hunter2z');
  });

  it('[SN6] leaves secrets under six characters, and other text, unchanged', () => {
    const redactor = new Redactor(['1234', 'hunter2zebra']);
    expect(redactor.text('1234 hunter2 hunter 2zebra unter2zebr')).toBe('1234 hunter2 hunter 2zebra unter2zebr');
  });

  it('[SN6] a password that is a word is masked where a page is quoted, and never in our own sentence', () => {
    const redactor = new Redactor(['snapshot', '120000']);
    expect(redactor.sentence('Take a snapshot within 120000 ms: button "my snapshot" at https://a.test/snapshot')).toBe(
      'Take a snapshot within 120000 ms: button "my •••" at https://a.test/•••',
    );
  });

  it('[SN6] a word of our own sentence stays where it is the beginning of a secret', () => {
    const redactor = new Redactor(['snapshot12', 'navigate!']);
    expect(redactor.sentence('Take a snapshot or navigate: snapshot1 "snapshot"')).toBe(
      'Take a snapshot or navigate: ••• "•••"',
    );
  });

  it('[T14] takes time proportional to the text, for any secrets and texts', () => {
    const mean = [
      '%'.repeat(64),
      '\\'.repeat(64),
      '&amp;'.repeat(12),
      'a'.repeat(64),
      '%25'.repeat(21),
      '\\"'.repeat(32),
    ];
    const many = Array.from({ length: 64 }, (_, at) => `${'a'.repeat(at + 6)}%&\\`.padEnd(128, mean[at % mean.length]));
    const redactor = new Redactor([...mean, ...many]);
    for (const piece of ['%', '\\', '&amp;', 'a', '%25', '\\"', '\\\\"', '%2525'])
      expect(redactor.text(piece.repeat(20_000)).length).toBeLessThan(200_000);
  });
});

describe('redactView', () => {
  const redactor = new Redactor(['hunter2zebra', 'button', '123456']);

  it('[T14] takes secrets out of values that pages give, names of fields and numbers too', () => {
    expect(redactValue(redactor, { hunter2zebra: ['a hunter2zebra', 123456, 1, null, true] })).toEqual({
      '•••': ['a •••', '•••', 1, null, true],
    });
  });

  it("[SN6] masks the page's parts of a reply, and nothing of ours", () => {
    const reply = {
      ok: true,
      id: 'a123456',
      kind: 'click',
      url: 'https://a.test/?q=hunter2zebra',
      warnings: ['no button "hunter2zebra"'],
      value: { x: 'button' },
      refs: [{ ref: 'e123456', role: 'button', name: 'button' }],
    };
    expect(redactView(redactor, reply)).toEqual({
      ...reply,
      url: 'https://a.test/?q=•••',
      warnings: ['no button "•••"'],
      value: { x: '•••' },
      refs: [{ ref: 'e123456', role: 'button', name: '•••' }],
    });
    const acted = { actor: { id: 'a', name: 'button', kind: 'agent' }, ms: 123456, value: [1234567, 123456] };
    expect(redactView(redactor, { ok: true, kind: 'evaluate', ...acted })).toEqual({
      ok: true,
      kind: 'evaluate',
      ...acted,
      value: [1234567, '•••'],
    });
  });

  it('[SN6] hints, cures and listed words are ours and stay', () => {
    const words = new Redactor(['dialog', 'answer', 'accept', 'screenshot', 'hunter2zebra']);
    const error = {
      code: 'DIALOG_OPEN',
      message: 'A dialog asks "my answer".',
      hint: 'Answer it: {"kind":"dialog","do":"answer","accept":true}.',
      cure: { code: 'chromeDrivenCure', id: 'answer' },
      details: {
        kinds: ['dialog', 'screenshot'],
        usage: 'screenshot [full]',
        fields: [{ field: 'accept', problem: 'is missing' }],
      },
    };
    expect(redactView(words, { ok: false, error })).toEqual({
      ok: false,
      error: { ...error, message: 'A dialog asks "my •••".' },
    });
  });

  it("[T14] the texts of dialogs and script exceptions are the page's, quoted or not", () => {
    const words = new Redactor(['wombat']);
    const dialog = { id: 'd1', type: 'alert', message: 'It is wombat', openedAt: '2026-01-01' };
    const threw = { code: 'EVAL_THREW', message: 'The script threw Error: wombat' };
    expect(redactView(words, { dialogs: [dialog], error: threw })).toEqual({
      dialogs: [{ ...dialog, message: 'It is •••' }],
      error: { ...threw, message: 'The script threw Error: •••' },
    });
  });

  it('[T14] returns the same object when it holds no secret', () => {
    const clean = { text: 'a button', picture: new Uint8Array(8) };
    expect(redactView(redactor, clean)).toBe(clean);
  });
});

import { describe, expect, it } from 'vitest';
import { ENGLISH_MESSAGES } from './english';
import { optionalMessageSchema, messageSchema } from './message';
import { formatMessage } from './format';

/** The parameters of each message, read from the schema itself. */
const fillings = new Map(
  messageSchema.options.flatMap((option) => {
    const { code, ...values } = option.shape;
    const codes: string[] = 'options' in code ? code.options : [...code.values];
    return codes.map((each) => [each, Object.keys(values).sort()] as const);
  }),
);

describe('formatMessage', () => {
  it('every code has one English sentence, and every sentence a code', () => {
    expect(Object.keys(ENGLISH_MESSAGES).sort()).toEqual([...fillings.keys()].sort());
  });

  it('a sentence contains all parameters of its code', () => {
    const named = (template: string) =>
      [...new Set([...template.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name))].sort();
    expect(
      Object.fromEntries(Object.entries(ENGLISH_MESSAGES).map(([code, template]) => [code, named(template)])),
    ).toEqual(Object.fromEntries(fillings));
  });

  it('writes a message in English and keeps its data beside it', () => {
    expect(formatMessage({ code: 'wheelBackNote', name: 'buyer-bot', note: 'go on' })).toEqual({
      text: 'handed the wheel back to buyer-bot: “go on”',
      said: { code: 'wheelBackNote', name: 'buyer-bot', note: 'go on' },
    });
  });

  it('[GU3] text of pages and people is cleaned and bounded, and is never used as a template', () => {
    const { text, said } = formatMessage({ code: 'alertOpened', message: `a\u202Eb\n{name} ${'x'.repeat(5_000)}` });
    expect(text).toMatch(/^The page says: “ab \{name\} x+…\(\+\d+\)”$/u);
    expect(text.length).toBeLessThan(500);
    expect(said).toMatchObject({ message: expect.not.stringContaining('\u202E') });
    expect(formatMessage(said)).toEqual({ text, said });
  });

  it('a message with an unknown code of a newer server is shown by its text', () => {
    expect(optionalMessageSchema.parse({ code: 'notYetThought' })).toBeUndefined();
    expect(optionalMessageSchema.parse({ code: 'joined' })).toEqual({ code: 'joined' });
  });
});

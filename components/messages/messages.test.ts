import { describe, expect, it } from 'vitest';
import { createTranslator } from 'use-intl/core';
import { ACTION_VERBS } from '@/lib/actions/action-verbs';
import { ERROR_TABLE } from '@/lib/errors/codes';
import { messageSchema } from '@/lib/messages/message';
import { MESSAGES } from '.';

type Tree = { readonly [key: string]: string | Tree };

function flatten(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] satisfies [string, string]]
      : flatten(value, `${path}${key}.`),
  );
}

interface Argument {
  readonly name: string;
  /** `plural` or `select`; undefined for a plain argument. */
  readonly by: string | undefined;
}

/** The arguments of an ICU message: every second level of braces names one, the levels between hold its branches. */
function argumentsOf(message: string): Argument[] {
  const found: Argument[] = [];
  let depth = 0;
  for (const [index, sign] of [...message].map((each, at) => [at, each] as const)) {
    if (sign === '}') depth -= 1;
    if (sign !== '{') continue;
    depth += 1;
    const head = depth % 2 === 1 ? /^\{\s*(\w+)\s*(?:,\s*(\w+))?/u.exec([...message].slice(index).join('')) : null;
    if (head?.[1] !== undefined) found.push({ name: head[1], by: head[2] });
  }
  return found;
}

const names = (message: string, wanted: (argument: Argument) => boolean) =>
  [
    ...new Set(
      argumentsOf(message)
        .filter(wanted)
        .map(({ name }) => name),
    ),
  ].sort();
const plain = (message: string) => names(message, ({ by }) => by === undefined).join();

const english = new Map(flatten(MESSAGES.en));
const chinese = new Map(flatten(MESSAGES.zh));

describe('messages', () => {
  it('[ui: behaviour] Chinese has every text that English has', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each(['en', 'zh'] as const)(
    '[TL1] %s has a message for everything the server says, does and fails with',
    (locale) => {
      const { said, event, problem } = MESSAGES[locale];
      const codes = messageSchema.options.flatMap(({ shape: { code } }) =>
        'options' in code ? code.options : [...code.values],
      );
      expect(Object.keys(said).sort()).toEqual([...codes].sort());
      expect(ACTION_VERBS.filter((word) => !Object.hasOwn(event, word))).toEqual([]);
      expect(Object.keys(problem.what).sort()).toEqual(Object.keys(ERROR_TABLE).sort());
      expect(Object.keys(problem.cure).sort()).toEqual(Object.keys(ERROR_TABLE).sort());
    },
  );

  it('both languages fill in the same things', () => {
    expect(
      [...english].filter(([key, text]) => plain(text) !== plain(chinese.get(key) ?? '')).map(([key]) => key),
    ).toEqual([]);
  });

  it('Chinese chooses only by what it is given: it has no plurals, and may leave them out', () => {
    const all = (message: string) => names(message, () => true);
    const unknown = [...chinese]
      .filter(([key, text]) => all(text).some((name) => !all(english.get(key) ?? '').includes(name)))
      .map(([key]) => key);
    expect(unknown).toEqual([]);
  });

  it.each(['en', 'zh'] as const)('every %s text is a message that can be formatted', (locale) => {
    const failed: string[] = [];
    const messages: Record<string, string> = {};
    const keys = [...(locale === 'en' ? english : chinese)].map(([key, text], index) => {
      messages[`m${index}`] = text;
      return key;
    });
    const t = createTranslator<{ readonly [key: string]: string }>({
      locale,
      messages,
      onError: (error) => failed.push(error.message),
    });
    keys.forEach((key, index) => {
      const values = Object.fromEntries(
        argumentsOf(messages[`m${index}`] ?? '').map(({ name, by }) => [name, by === 'plural' ? 2 : 'x']),
      );
      const said = t(`m${index}`, values);
      if (said === '' || said.includes('{')) failed.push(`${key}: ${said}`);
    });
    expect(failed).toEqual([]);
  });

  it('Chinese has one word for an agent', () => {
    expect([...chinese].filter(([, text]) => /代理(?!服务器)|代理人/u.test(text)).map(([key]) => key)).toEqual([]);
  });

  it('Chinese is written in Chinese: apart from names and code no text is left over in English', () => {
    const same = [...english]
      .filter(([key, text]) => chinese.get(key) === text && /[a-z]{3,} [a-z]{3,}/iu.test(text))
      .map(([key]) => key);
    expect(same).toEqual([]);
  });
});

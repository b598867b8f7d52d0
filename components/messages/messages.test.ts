import { describe, expect, it } from 'vitest';
import { createTranslator } from 'use-intl/core';
import { MESSAGES } from '.';

type Tree = { readonly [key: string]: string | Tree };

function flatten(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [[`${path}${key}`, value] satisfies [string, string]] : flatten(value, `${path}${key}.`)));
}

/** Names in braces, without the words of plural and select. */
function argumentsOf(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)(?=[,}])/gu)].map(([, name = '']) => name))].filter((name) => new RegExp(`\\{${name}\\}|\\{${name},`, 'u').test(message)).sort();
}

const english = new Map(flatten(MESSAGES.en));
const chinese = new Map(flatten(MESSAGES.zh));

describe('messages', () => {
  it('[ui: behaviour] Chinese has every text that English has', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('both languages fill in the same things', () => {
    const differing = [...english].filter(([key, text]) => argumentsOf(text).join() !== argumentsOf(chinese.get(key) ?? '').join()).map(([key]) => key);
    expect(differing).toEqual([]);
  });

  it.each(['en', 'zh'] as const)('every %s text is a message that can be formatted', (locale) => {
    const failed: string[] = [];
    const messages: Record<string, string> = {};
    const keys = [...(locale === 'en' ? english : chinese)].map(([key, text], index) => {
      messages[`m${index}`] = text;
      return key;
    });
    const t = createTranslator<{ readonly [key: string]: string }>({ locale, messages, onError: (error) => failed.push(error.message) });
    keys.forEach((key, index) => {
      const values = Object.fromEntries(argumentsOf(messages[`m${index}`] ?? '').map((name) => [name, ['count', 'tabs', 'n'].includes(name) ? 2 : 'x']));
      const said = t(`m${index}`, values);
      if (said === '' || said.includes('{')) failed.push(`${key}: ${said}`);
    });
    expect(failed).toEqual([]);
  });

  it('Chinese is written in Chinese: apart from names and code no text is left over in English', () => {
    const same = [...english].filter(([key, text]) => chinese.get(key) === text && /[a-z]{3,} [a-z]{3,}/iu.test(text)).map(([key]) => key);
    expect(same).toEqual([]);
  });
});

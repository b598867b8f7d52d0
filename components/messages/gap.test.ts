import { describe, expect, it } from 'vitest';
import { createTranslator } from 'use-intl/core';
import { MESSAGES } from '.';
import { closeValueGaps } from './gap';

const event = createTranslator({ locale: 'zh', messages: MESSAGES.zh, namespace: 'event' });
const line = (who: string, target: string): string =>
  closeValueGaps(
    event('line', { who, what: event('click', { way: 'done', target, place: '', value: '', self: 'no' }) }),
  );

describe('Chinese sentences', () => {
  it.each([
    ['您', '元素', '您点击了元素'],
    ['您', 'Sign in', '您点击了 Sign in'],
    ['buyer-bot', '页面', 'buyer-bot 点击了页面'],
    ['buyer-bot', '确认 付款', 'buyer-bot 点击了确认 付款'],
  ])('[ui] have a space beside foreign words only, and page text keeps its own: %j on %j', (who, target, said) => {
    expect(line(who, target)).toBe(said);
  });
});

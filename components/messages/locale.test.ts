import { describe, expect, it } from 'vitest';
import { pickLocale } from './locale';

describe('pickLocale', () => {
  it('[ui: behaviour] follows the browser', () => {
    expect(pickLocale(undefined, 'zh-CN,zh;q=0.9,en;q=0.8')).toBe('zh');
    expect(pickLocale(undefined, 'en-GB,en;q=0.9')).toBe('en');
  });

  it('takes the weights seriously, whatever their order', () => {
    expect(pickLocale(undefined, 'en;q=0.3, zh;q=0.7')).toBe('zh');
    expect(pickLocale(undefined, 'de-DE,de;q=0.9,zh-TW;q=0.5')).toBe('zh');
    expect(pickLocale(undefined, 'zh;q=0')).toBe('en');
  });

  it('[ui: behaviour] a switched language wins', () => {
    expect(pickLocale('en', 'zh-CN')).toBe('en');
    expect(pickLocale('zh', 'en')).toBe('zh');
  });

  it('is English for the unknown and the broken', () => {
    expect(pickLocale('xx', null)).toBe('en');
    expect(pickLocale(undefined, ';;,=;q=zz,')).toBe('en');
  });
});

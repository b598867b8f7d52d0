import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LOOKS, lookOf, nameOf } from './look';

const STORIES = path.join(import.meta.dirname, '..');

/** The titles of all stories, as their files have them. */
const titles = readdirSync(STORIES)
  .filter((file) => file.endsWith('.spec.ts'))
  .flatMap((file) => [...readFileSync(path.join(STORIES, file), 'utf8').matchAll(/\btest\('([^']+)'/g)])
  .map(([, title = '']) => title);

it('[UI] each size, each theme and each language is met by a story of npm test', () => {
  const looks = titles.map((title) => lookOf(title));

  expect(titles.length).toBeGreaterThan(25);
  for (const part of ['size', 'theme', 'locale'] as const)
    expect(new Set(looks.map((look) => look[part]))).toEqual(new Set(LOOKS.map((look) => look[part])));
});

it('[UI] a story has the same look at every run, out of the sizes that it knows', () => {
  expect(lookOf('[CO4] a story')).toEqual(lookOf('[CO4] a story'));
  for (const title of titles) expect(lookOf(title, ['phone']).size).toBe('phone');
  expect(new Set(LOOKS.map(nameOf)).size).toBe(12);
});

import { expect, it } from 'vitest';
import { WIDTH, reflowed } from './comments.mjs';

const LONG = 'word '.repeat(40).trim();
const widest = (text) => Math.max(...text.split('\n').map((line) => line.length));

it('[house] breaks a documentation comment on one line, and keeps its words and the code below', () => {
  const text = reflowed('a.ts', `/** ${LONG} */\nexport const a = 1;\n`);
  expect(text).toMatch(/^\/\*\*\n \* word/);
  expect(text.endsWith(' */\nexport const a = 1;\n')).toBe(true);
  expect(widest(text)).toBeLessThanOrEqual(WIDTH);
  expect(text.match(/word/g)).toHaveLength(40);
});

it('[house] begins a tag, a list item and an indented line on a line of its own', () => {
  const lines = [`/**`, ` * ${LONG}`, ` * - one`, ` *     indented  code`, ` * @returns it`, ` */`, `f();`, ``];
  const text = reflowed('a.ts', lines.join('\n'));
  for (const line of [' * - one', ' *     indented  code', ' * @returns it']) expect(text.split('\n')).toContain(line);
});

it('[house] moves a comment behind code above it, at the same indentation', () => {
  expect(reflowed('a.ts', `if (a) {\n  f(); // ${LONG}\n}\n`)).toMatch(
    /^if \(a\) \{\n( {2}\/\/ word[^\n]*\n){2} {2}f\(\);\n\}\n$/,
  );
});

it('[house] leaves comments alone that fit, strings that look like comments, and what it has wrapped before', () => {
  const source = `/** Short. */\nconst a = '/** ${LONG} */';\n`;
  expect(reflowed('a.ts', source)).toBe(source);
  const once = reflowed('a.ts', `/** ${LONG} */\nf();\n`);
  expect(reflowed('a.ts', once)).toBe(once);
});

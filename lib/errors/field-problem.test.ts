import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldProblems } from './field-problem';

describe('fieldProblems', () => {
  const schema = z.strictObject({
    text: z.string().min(1).max(3),
    count: z.int().min(1).max(9).optional(),
    way: z.enum(['up', 'down']).optional(),
    on: z.boolean().optional(),
    list: z.array(z.string().max(1)).max(2).min(1).optional(),
    point: z.strictObject({ x: z.number() }).optional(),
  });
  const problemsOf = (input: unknown): string[] => {
    const parsed = schema.safeParse(input);
    return parsed.success
      ? []
      : parsed.error.issues.flatMap(fieldProblems).map(({ field, problem }) => `${field} ${problem}`);
  };

  it.each<[unknown, string[]]>([
    [{}, ['text is missing']],
    [[], ['body must be an object']],
    [{ text: 5 }, ['text must be text']],
    [{ text: '' }, ['text must have at least 1 character']],
    [{ text: 'long' }, ['text must have at most 3 characters']],
    [{ text: 'a', count: 0 }, ['count must be at least 1']],
    [{ text: 'a', count: 99 }, ['count must be at most 9']],
    [{ text: 'a', count: 1.5 }, ['count must be a whole number']],
    [{ text: 'a', way: 'left' }, ['way must be one of "up", "down"']],
    [{ text: 'a', on: 'yes' }, ['on must be true or false']],
    [{ text: 'a', list: 'a' }, ['list must be a list']],
    [{ text: 'a', list: [] }, ['list must have at least 1 entry']],
    [{ text: 'a', list: ['a', 'b', 'c'] }, ['list must have at most 2 entries']],
    [{ text: 'a', list: ['a', 'bb'] }, ['list.1 must have at most 1 character']],
    [{ text: 'a', point: {} }, ['point.x is missing']],
    [{ text: 'a', point: { x: 1, y: 2 } }, ['point.y is not a field of this']],
    [{ text: 'a', one: 1, two: 2 }, ['one is not a field of this', 'two is not a field of this']],
  ])('[AC8] %j: %j', (input, problems) => {
    expect(problemsOf(input)).toEqual(problems);
  });
});

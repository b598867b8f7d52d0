import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import { ACTION_KINDS } from './kinds';
import { badRequest, parseAction } from './parse';

function refused(input: unknown): WheelhouseError {
  try {
    parseAction(input);
  } catch (error) {
    if (error instanceof WheelhouseError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('parseAction', () => {
  it('[AC8] an unknown kind names the nearest ones, and lists all', () => {
    expect(refused({ kind: 'clik', ref: 'e1' })).toMatchObject({
      code: 'UNKNOWN_KIND',
      message: 'There is no action of kind "clik". Did you mean "click"?',
      details: { kinds: ACTION_KINDS },
    });
    expect(refused({ kind: 'frobnicate' }).message).toBe('There is no action of kind "frobnicate".');
    expect(refused({ kind: 'x'.repeat(10_000) }).message.length).toBeLessThan(150);
  });

  it.each(['constructor', '__proto__', 'toString', '', 'Click', 'click '])('[AC8] %j is not a kind', (kind) => {
    expect(refused({ kind }).code).toBe('UNKNOWN_KIND');
  });

  it.each<[unknown, string]>([
    [undefined, 'The action is not valid: "body" is missing.'],
    [null, 'The action is not valid: "body" must be an object.'],
    ['click [12]', 'The action is not valid: "body" must be an object.'],
    [[], 'The action is not valid: "body" must be an object.'],
    [{}, 'The action is not valid: "kind" is missing.'],
    [{ kind: 3 }, 'The action is not valid: "kind" must be text.'],
    [{ kind: 'type', ref: 'e1' }, 'The action is not valid: "text" is missing.'],
    [{ kind: 'click', ref: 'e1', colour: 'red' }, 'The action is not valid: "colour" is not a field of this.'],
    [{ kind: 'click', ref: 'e1', timeoutMs: 1 }, 'The action is not valid: "timeoutMs" must be at least 50.'],
    [
      { kind: 'click', ref: 'e1', selector: 'a' },
      'The action is not valid: "selector" names a second target beside "ref"; give exactly one.',
    ],
    [
      { kind: 'click', name: 'Buy' },
      'The action is not valid: "ref" is missing: name the element by ref, by role and name, or by selector.',
    ],
    [{ kind: 'press' }, 'The action is not valid: "key" or "keys" must be given, and not both.'],
    [{ kind: 'history', go: 'home' }, 'The action is not valid: "go" must be one of "back", "forward", "reload".'],
  ])('[AC8] %j: %s', (input, message) => {
    expect(refused(input)).toMatchObject({ code: 'BAD_REQUEST', message });
  });

  it('[AC8] lists every wrong field, up to ten', () => {
    expect(refused({ kind: 'resize', width: 0, height: 'a', colour: 1 }).details).toEqual({
      fields: [
        { field: 'width', problem: 'must be at least 1' },
        { field: 'height', problem: 'must be a number' },
        { field: 'colour', problem: 'is not a field of this' },
      ],
    });
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    expect(refused({ kind: 'none', ...many }).details).toMatchObject({ fields: { length: 10 } });
  });

  it('[AC8] fails only with BAD_REQUEST or UNKNOWN_KIND, for any input', () => {
    const key = fc.constantFrom(
      'kind',
      'ref',
      'role',
      'at',
      'text',
      'all',
      'values',
      'args',
      'timeoutMs',
      '__proto__',
      'constructor',
    );
    const value = fc.oneof(
      fc.constantFrom(...ACTION_KINDS),
      fc.jsonValue(),
      fc.constantFrom(undefined, Number.NaN, -0),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(key, value)), (input) => {
        try {
          return ACTION_KINDS.includes(parseAction(input).kind);
        } catch (error) {
          return error instanceof WheelhouseError && (error.code === 'BAD_REQUEST' || error.code === 'UNKNOWN_KIND');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('badRequest', () => {
  it('[AC8] puts the name of the parsed part before the field', () => {
    const { error } = z.strictObject({ a: z.string() }).safeParse({ a: 1 });
    expect(error && badRequest(error, 'The event is not valid')).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The event is not valid: "a" must be text.',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { tree } from '../testing/tree.mjs';
import { structureProblems, lockProblems } from './structure.mjs';

// Put together here, so that this file does not break the rules it tests.
const at = (word) => `// @${word}`;

describe('house rules', () => {
  it('[T10] app has no route handlers and no server actions', () => {
    const files = {
      'app/api/route.ts': '',
      'app/page.tsx': 'export {};',
      'app/act.ts': "'use server';\nexport {};",
      'components/route.ts': '',
    };
    expect(structureProblems(tree(files))).toEqual([
      "app/act.ts:1 'use server';: pages change the server through its API and socket only (T10)",
      'app/api/route.ts: app has no route handlers, the server signs in before Next runs (T10)',
    ]);
  });

  it('no check is silenced', () => {
    const silenced = [
      at('ts-ignore'),
      at('ts-expect-error'),
      at('ts-nocheck'),
      ['// eslint', 'disable-next-line'].join('-'),
      ['/* oxlint', 'disable */'].join('-'),
    ];
    expect(structureProblems(tree({ 'lib/a.ts': silenced.join('\n') }))).toEqual(
      silenced.map((line, index) => `lib/a.ts:${index + 1} ${line}: mend the code instead of silencing the check`),
    );
  });

  it('no test is focused or skipped', () => {
    const focused = ['it', 'test', 'describe'].map((word) => [word, "only('x', () => {});"].join('.'));
    expect(
      structureProblems(tree({ 'lib/a.test.ts': focused.join('\n'), 'lib/b.ts': focused.join('\n') })),
    ).toHaveLength(3);
  });

  it('[AU3] no handler asks for a right or looks up a thing by itself', () => {
    const asks = [
      "import { demand } from '@/server/access/may';",
      'if (services.access.may(principal, grant, thing).ok) run();',
      "session.require(principal, 'drive');",
      "if (grantsIn(principal, session.id).has('drive')) run();",
      "if (principal.rights.workspace.has('manage')) run();",
      'demandOwn(principal, thing);',
      'const session = services.hub.get(workspace, id);',
      'const tab = session.findTab(caller, name);',
    ].join('\n');
    const routes = 'server/doors/http/routes';
    const files = {
      'server/doors/things.ts': asks,
      'server/session/a.ts': asks,
      [`${routes}/a.test.ts`]: asks,
      [`${routes}/a.ts`]: asks,
    };
    const lines = structureProblems(tree(files)).map((problem) => problem.split(' ')[0]);
    expect(lines).toEqual(asks.split('\n').map((_, index) => `${routes}/a.ts:${index + 1}`));
  });

  it('[house] a rule that SPEC.md calls held has a test, and a test quotes only rules of SPEC.md', () => {
    const spec = [
      '| BU1-BU2 | ● | Budgets. |',
      '| FR6 | ○ | Not built. |',
      '| CO3 CO4 | ● | Takes. |',
      '| F4 | Hangs. |',
    ];
    const files = {
      'docs/SPEC.md': spec.join('\n'),
      'lib/a.test.ts': "it('[BU1][CO3 F4] does', run); const text = 'not a tag [XX1]';",
      'lib/b.spec.ts': 'test(`[BU2] [GU1] does`, run);',
      'e2e/proof/c.ts': "export const c = { id: 'CO4' };",
    };
    expect(structureProblems(tree(files))).toEqual(['lib/b.spec.ts: quotes GU1, which docs/SPEC.md lacks']);
    expect(structureProblems(tree({ ...files, 'lib/a.test.ts': '', 'lib/b.spec.ts': '' }))).toEqual([
      'docs/SPEC.md: BU1 is held, but no test quotes it',
      'docs/SPEC.md: BU2 is held, but no test quotes it',
      'docs/SPEC.md: CO3 is held, but no test quotes it',
    ]);
  });

  it('the lock names no registry host and has the binaries of every platform', () => {
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': {
        version: '1.0.0',
        resolved: 'https://registry.example/a.tgz',
        optionalDependencies: { 'a-linux': '1', 'a-mac': '1', b: '1' },
      },
      'node_modules/a/node_modules/a-linux': { version: '1.0.0', optional: true },
      'node_modules/b': { version: '1.0.0', optional: true },
    };
    expect(lockProblems({ packages })).toEqual([
      'package-lock.json: node_modules/a names a registry host: npm install with omit-lockfile-registry-resolved',
      'package-lock.json: node_modules/a lacks its optional a-mac, so `npm ci` fails: choose a version whose every platform is in the registry',
    ]);
  });
});

it('[house] a word that was given up does not come back in a name; strings, comments and a mouse may have it', () => {
  const retired = ['wi', 'sh'].join('');
  const box = ['Receipt', 'Box'].join('');
  const files = {
    'lib/a.ts': `export const ${retired}Of = 1;\nexport class ${box} {}\n// a ${retired}\nexport const text = 'a ${retired}';`,
    'lib/outstanding.ts': 'export const outstanding = 1;',
    'components/viewport/input/pointer.ts': 'export const wheelTurn = 1;',
  };
  expect(structureProblems(tree(files)).map((problem) => problem.split(' in this house')[0])).toEqual([
    `lib/a.ts: ${retired}Of: \`${retired}\` is said as "request, options or query"`,
    `lib/a.ts: ${box}: \`receipt box\` is said as "receipt outbox"`,
  ]);
});

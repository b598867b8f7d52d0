import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../setup/root.mjs';
import { run } from '../setup/run.mjs';
import { write } from '../testing/tree.mjs';

const GLOBALS = `
declare const console: { log(...args: unknown[]): void };
declare const process: { env: Record<string, string> };
declare const socket: { on(name: string): void };
declare const target: { page(): void };
declare const browser: { pages(): void };
`;
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'ES2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
  },
  include: ['**/*.ts', '**/*.tsx'],
});

const ENV = 'export const a = process.env["A"];';
const AS = 'export const a = (x: unknown): string => x as string;';
const SOCKET = 'export const a = socket.on("x");';
const PAGE = 'export const a = target.page();';
const PAGES = 'export const a = browser.pages();';
const LONG = `export function long(): void {\n${'  String(1);\n'.repeat(41)}}`;
const HOOK =
  'declare function useState(): number; export function useIt(on: boolean): number { return on ? useState() : 0; }';
const RESTRICTED = ['eslint(no-restricted-properties)'];

/** File, its content, and the rules it breaks. */
const FILES = [
  ['lib/any.ts', 'export const a = (x: any): number => Number(x);', ['typescript(no-explicit-any)']],
  ['lib/as.ts', AS, ['typescript(consistent-type-assertions)']],
  ['lib/as.test.ts', AS, ['typescript(consistent-type-assertions)']],
  ['lib/as-const.ts', 'export const a = ["x"] as const;', []],
  ['lib/bang.ts', 'export const a = (x?: string): string => x!;', ['typescript(no-non-null-assertion)']],
  [
    'lib/float.ts',
    'const f = async (): Promise<void> => {};\nexport function g(): void { f(); }',
    ['typescript(no-floating-promises)'],
  ],
  ['lib/unsafe.ts', 'export const a: unknown = JSON.parse("1").b;', ['typescript(no-unsafe-member-access)']],
  ['lib/empty.ts', 'export function a(): void { try { String(1); } catch {} }', ['eslint(no-empty)']],
  ['lib/long.ts', LONG, ['eslint(max-lines-per-function)']],
  ['lib/BadName.ts', 'export const a = 1;', ['unicorn(filename-case)']],
  ['lib/console.ts', 'console.log(1);', ['eslint(no-console)']],
  ['components/console.ts', 'console.log(1);', ['eslint(no-console)']],
  ['server/cdp/console.ts', 'console.log(1);', ['eslint(no-console)']],
  ['bin/console.ts', 'console.log(1);', []],
  ['components/hook.tsx', HOOK, ['react-hooks(rules-of-hooks)']],
  ['components/env.ts', ENV, RESTRICTED],
  ['server/cdp/env.ts', ENV, RESTRICTED],
  ['server/cdp/env-taken-apart.ts', 'export const { env } = process;', RESTRICTED],
  ['server/cdp/env.test.ts', ENV, []],
  ['server/doors/socket/env.ts', ENV, RESTRICTED],
  ['server/config/env.ts', ENV, []],
  ['bin/env.ts', ENV, []],
  ['server/browser/page.ts', PAGE, RESTRICTED],
  ['server/browser/pages.ts', PAGES, RESTRICTED],
  ['server/browser/puppeteer-engine.ts', `${PAGE}\nexport const b = browser.pages();`, []],
  ['server/doors/socket.ts', SOCKET, RESTRICTED],
  ['server/main.ts', `${SOCKET}\nexport const b = process.env;`, RESTRICTED],
  ['server/serve.ts', ENV, RESTRICTED],
  ['server/cdp/socket.ts', SOCKET, []],
  ['server/doors/socket/registry.ts', SOCKET, []],
];

let root;
let diagnostics = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'wheelhouse-lint-'));
  write(root, {
    'tsconfig.json': TSCONFIG,
    'globals.d.ts': GLOBALS,
    ...Object.fromEntries(FILES.map(([file, source]) => [file, `${source}\n`])),
  });
  cpSync(join(ROOT, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  const { output } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '-f', 'json', '.'],
    { cwd: root, quiet: true },
  );
  diagnostics = JSON.parse(output).diagnostics;
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the lint configuration', () => {
  it.each(FILES)('%s', (file, _source, rules) => {
    const codes = diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);
    expect([...new Set(codes)]).toEqual(rules);
  });
});

import { z } from 'zod';
import { actionSchema } from '@/lib/actions/kinds';
import { replySchema } from '@/lib/actions/reply';
import { ERROR_TABLE, isErrorCode } from '@/lib/errors/codes';
import { controlSchema, tabSchema, timelineEventSchema } from '@/lib/protocol/views';
import { harSchema } from '@/lib/buffers/har-schema';
import { failureSchema, sessionAnswerSchema, snapshotAnswerSchema } from './answers';
import type { Documented } from './route';

/** Schemas that the document names in `components`; it writes all others inline. */
const NAMED = {
  Action: actionSchema,
  Reply: replySchema,
  Failure: failureSchema,
  Session: sessionAnswerSchema,
  Tab: tabSchema,
  Control: controlSchema,
  TimelineEvent: timelineEventSchema,
  Snapshot: snapshotAnswerSchema,
  Har: harSchema,
} satisfies Record<string, z.ZodType>;

export interface OpenApi {
  readonly openapi: string;
  readonly info: object;
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly securitySchemes: object; readonly schemas: Readonly<Record<string, unknown>> };
}

/** Builds the OpenAPI 3.1 document from the rows and schemas that handle the requests (DO1). */
export function openApi(routes: readonly Documented[]): OpenApi {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wheelhouse',
      version: '1',
      description: 'See and steer shared browsers. Act with the actions of one vocabulary; every answer is typed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ key: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key made under /api/v1/keys. Its owner acts as an agent; `X-Agent` may name it.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'wh_<port>',
          description:
            'A signed-in person; what changes something needs an Origin of this server. Calls are for the home workspace, or for the one that the header `X-Workspace` or the query field `workspace` names.',
        },
      },
      schemas: Object.fromEntries(
        Object.entries(NAMED).flatMap(([name, schema]) => Object.entries(component(name, schema))),
      ),
    },
  };
}

function operation(route: Documented, path: string): object {
  const body = route.bodyShown ?? route.body;
  const takesBody = !(body instanceof z.ZodUndefined);
  return {
    operationId: `${route.method.toLowerCase()}${path
      .replace('/api/v1', '')
      .replace(/[^A-Za-z]+(\w)/g, (_, letter: string) => letter.toUpperCase())
      .replace(/\W/g, '')}`,
    summary: route.about,
    description: needsOf(route),
    ...(isPublic(route) ? { security: [] } : {}),
    tags: [path.split('/')[3] ?? ''],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.streams
      ? { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
      : takesBody
        ? {
            requestBody: {
              required: !body.isOptional(),
              content: { 'application/json': { schema: shown(body, 'input') } },
            },
          }
        : {}),
    responses: { [route.success]: success(route), ...failures(route) },
  };
}

/** Whether a route needs no sign-in. */
const isPublic = (route: Documented): boolean => !('grant' in route);

/** What a caller needs for a route, in Markdown. */
export function needsOf(route: Documented): string {
  return 'grant' in route ? `Needs the grant \`${String(route.grant)}\`.` : 'Needs no sign-in.';
}

function success({ answer, success: status }: Documented): object {
  const content =
    'media' in answer ? { [answer.media]: {} } : { 'application/json': { schema: shown(answer, 'output') } };
  return { description: status === 201 ? 'Made' : status === 202 ? 'Begun' : 'The answer', content };
}

/**
 * The documented failures by status, without 500. Actions answer with a reply in any case, most failures with 200.
 */
function failures(route: Documented): Record<string, object> {
  const plain = shown(failureSchema, 'output');
  // The front refuses a request before it knows the route, so that failure has the plain form.
  const schema =
    'failed' in route && route.failed !== undefined && !('media' in route.answer)
      ? { anyOf: [shown(route.answer, 'output'), plain] }
      : plain;
  const codes = Object.keys(ERROR_TABLE).filter(isErrorCode);
  return Object.fromEntries(
    FAILURES.map((status) => {
      const here = codes.filter((code) => ERROR_TABLE[code].status === status).join(', ');
      return [
        status,
        {
          description: here === '' ? (LATE[status] ?? 'A failure') : here,
          content: { 'application/json': { schema } },
        },
      ];
    }),
  );
}

const FAILURES = [400, 401, 403, 404, 409, 413, 429, 503, 504];
const LATE: Readonly<Record<number, string>> = { 504: 'TIMEOUT' };

function parameters(schema: z.ZodType, place: 'path' | 'query'): object[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const fields: Readonly<Record<string, z.ZodType>> = z.record(z.string(), z.instanceof(z.ZodType)).parse(schema.shape);
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.isOptional(),
    schema: inline(field, 'input'),
  }));
}

/** A schema at its place of use: a reference to a named schema, a list of references, or inline. */
function shown(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const name = nameOf(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const item = schema instanceof z.ZodArray && schema.element instanceof z.ZodType ? nameOf(schema.element) : undefined;
  return item === undefined ? inline(schema, io) : { type: 'array', items: { $ref: `#/components/schemas/${item}` } };
}

function nameOf(schema: z.ZodType): string | undefined {
  return Object.entries(NAMED).find(([, named]) => Object.is(named, schema))?.[0];
}

function inline(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return written;
}

/**
 * A named schema. Moves its inner definitions to names in the document, because a `$ref` resolves from the document's
 * root.
 */
function component(name: string, schema: z.ZodType): Record<string, unknown> {
  const io = schema === actionSchema ? 'input' : 'output';
  const {
    $schema: _dialect,
    $defs = {},
    ...written
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  const here = (value: unknown): unknown => withRefs(value, name);
  return {
    [name]: here(written),
    ...Object.fromEntries(Object.entries($defs).map(([key, definition]) => [`${name}_${key}`, here(definition)])),
  };
}

function withRefs(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      key === '$ref' && typeof item === 'string' ? refFrom(item, name) : withRefs(item, name),
    ]),
  );
}

function refFrom(ref: string, name: string): string {
  if (ref === '#') return `#/components/schemas/${name}`;
  return ref.replace(/^#\/\$defs\//, `#/components/schemas/${name}_`);
}

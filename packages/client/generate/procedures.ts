import {
  acceptsIdempotencyKey,
  acceptsIfMatch,
  type Endpoint,
  endpoints,
  type ErrorCode,
  errorsOf,
  returnsVersion,
} from '@profile-service/contracts';
import { z } from 'zod';
import { docComment } from './comment.ts';
import { allSchemas } from './models.ts';
import { fields, type JsonSchema, schemaType } from './schema-type.ts';

/** An endpoint with the prefix of its type names: `users.create` is `UsersCreate`. */
interface Named {
  name: string;
  prefix: string;
  endpoint: Endpoint;
}

const all: Named[] = endpoints.map(({ name, endpoint }) => ({ name, endpoint, prefix: name.split('.').map(pascal).join('') }));
const procedures = all.filter(({ endpoint }) => endpoint.media === 'json');
const exports = all.filter(({ endpoint }) => endpoint.media === 'export');
const subscriptions = all.filter(({ endpoint }) => endpoint.media === 'stream');

/** Writes the input, the output and the error codes of each endpoint, and the tree of the procedures. */
export function writeProcedures(): string {
  const types = all.map(writeTypes).join('\n');
  const models = [...new Set(types.match(/\b[A-Z]\w+\b/g))].filter((name) => modelNames.has(name));
  return `import type { Conditional, ExportedRecords, Idempotent, Mutation, Query, Subscription, Versioned } from '../procedure.ts';
    import type { ${models.toSorted().join(', ')} } from './models.ts';

    ${codes('CommonErrorCode', 'The error codes of every endpoint.', common)}
    ${codes('UserErrorCode', 'The error codes of every endpoint for users.', ofUsers, ['CommonErrorCode'])}
    ${codes('ServiceErrorCode', 'The error codes of every endpoint for applications.', ofApplications, ['CommonErrorCode'])}
    ${types}
    /** The procedures of the service. */
    export type Procedures = ${treeOf(procedures)};

    /** The subscriptions of the service, for tRPC's own links. */
    export type Subscriptions = ${treeOf(subscriptions)};

    /** The exports of the service, over REST. */
    export type Exports = ${treeOf(exports)};
  `;
}

/** The paths of the exports. */
export function writeExports(): string {
  const rows = exports.map(({ name, endpoint }) => `${JSON.stringify(name)}: '${endpoint.path}',\n`);
  return `/** The paths of the exports, by the names of their operations. */
    export const exportPaths: Readonly<Record<string, string>> = {\n${rows.join('')}};\n`;
}

/** What the client adds to mutations: an idempotency key, or the version that was read. */
export function writeMutations(): string {
  const rows = procedures
    .filter(({ endpoint }) => endpoint.method !== 'GET')
    .map(({ name, endpoint }) => `${JSON.stringify(name)}: '${kindOf(endpoint)}',\n`);
  return `/** What a mutation accepts besides its fields. \`idempotent\`: an idempotency key. \`conditional\`: \`ifMatch\`. */
    export type MutationKind = 'idempotent' | 'conditional' | 'plain';

    /** The mutations. All other procedures are queries. */
    export const mutations: Readonly<Record<string, MutationKind>> = {\n${rows.join('')}};\n`;
}

function kindOf(endpoint: Endpoint): keyof typeof additions {
  if (acceptsIdempotencyKey(endpoint)) return 'idempotent';
  return acceptsIfMatch(endpoint) ? 'conditional' : 'plain';
}

/** The types that a procedure adds to its input. */
const additions = { idempotent: ['Idempotent'], conditional: ['Conditional'], plain: [] };

const modelNames = new Set(Object.keys(allSchemas('output')));

const sharedBy = (named: Named[]): ErrorCode[] =>
  named.map(({ endpoint }) => errorsOf(endpoint)).reduce((shared, each) => shared.filter((code) => each.includes(code)));
const isOf = (kind: string) => all.filter(({ endpoint }) => endpoint.access.kind === kind);
const common = sharedBy(all);
const ofUsers = sharedBy(isOf('user')).filter((code) => !common.includes(code));
const ofApplications = sharedBy(isOf('service')).filter((code) => !common.includes(code));

const codes = (name: string, comment: string, own: ErrorCode[], groups: string[] = []): string =>
  `${docComment(comment)}export type ${name} = ${[...groups, ...own.map((code) => `'${code}'`)].join(' | ')};\n`;

function writeTypes(named: Named): string {
  const { name, prefix, endpoint } = named;
  const codesOfEndpoint = errorsOf(endpoint);
  const [group, shared] = {
    user: ['UserErrorCode', ofUsers] as const,
    service: ['ServiceErrorCode', ofApplications] as const,
    me: ['CommonErrorCode', []] as const,
  }[endpoint.access.kind];
  const own = codesOfEndpoint.filter((code) => !common.includes(code) && !(shared as readonly ErrorCode[]).includes(code));
  return [writeInput(named), writeOutput(named), codes(`${prefix}ErrorCode`, `Error codes of \`${name}\`.`, own, [group])].join('\n');
}

function writeInput({ name, prefix, endpoint }: Named): string {
  const parameters = jsonSchema(z.object({ ...endpoint.params, ...endpoint.query }), 'input');
  const bases = [
    ...(endpoint.body ? [schemaType(jsonSchema(endpoint.body, 'input'), 'input')] : []),
    ...(endpoint.media === 'json' ? additions[kindOf(endpoint)] : []),
  ];
  const own = fields(parameters, 'input');
  const comment = docComment(`Input of \`${name}\`.`);
  if (!own && bases.length < 2) return `${comment}export type ${prefix}Input = ${bases[0] ?? 'void'};\n`;
  return `${comment}export interface ${prefix}Input ${bases.length > 0 ? `extends ${bases.join(', ')}` : ''} {\n${own}}\n`;
}

function writeOutput({ name, prefix, endpoint }: Named): string {
  if (['download', 'export'].includes(endpoint.media)) return '';
  const output = endpoint.output ? schemaType(jsonSchema(endpoint.output, 'output'), 'output') : 'undefined';
  const comment = docComment(`Output of \`${name}\`.`);
  if (!endpoint.output || !returnsVersion(endpoint)) return `${comment}export type ${prefix}Output = ${output};\n`;
  return `${comment}export interface ${prefix}Output extends ${output}, Versioned {}\n`;
}

type Leaf = [path: string[], named: Named];

const treeOf = (named: Named[]): string => writeTree(named.map((each) => [each.name.split('.'), each]));

/** Writes the nested object type of the procedures. */
function writeTree(leaves: Leaf[]): string {
  const groups = Map.groupBy(leaves, ([[key = '']]) => key);
  const members = [...groups].map(([key, group]) => {
    const [[path, named]] = group as [Leaf];
    if (path.length > 1) return `${key}: ${writeTree(group.map(([[, ...rest], each]) => [rest, each]))};\n`;
    return writeProcedure(key, named, named.name.split('.').length * 2);
  });
  return `{\n${members.join('')}}`;
}

function writeProcedure(key: string, { prefix, endpoint }: Named, indent: number): string {
  const input = jsonSchema(z.object({ ...endpoint.params, ...endpoint.query, ...endpoint.body?.shape }), 'input');
  const sent =
    (input.required ?? []).length > 0
      ? `${prefix}Input`
      : Object.keys(input.properties ?? {}).length > 0
        ? `${prefix}Input | void`
        : 'void';
  const text = [`${endpoint.summary}.`, endpoint.description].filter(Boolean).join(' ');
  const kind = endpoint.media === 'stream' ? 'Subscription' : endpoint.method === 'GET' ? 'Query' : 'Mutation';
  const type =
    endpoint.media === 'export' ? `ExportedRecords<${sent}, ${prefix}ErrorCode>` : `${kind}<${sent}, ${prefix}Output, ${prefix}ErrorCode>`;
  return `${docComment(text, indent)}${key}: ${type};\n`;
}

/** The JSON Schema, with the schema itself in place of a reference to it. */
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const id = schema.meta()?.['id'];
  const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return typeof id === 'string' ? { $ref: id } : converted;
};

function pascal(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

import { errorsOf, type ErrorCode, rows } from '@profile-service/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };

type Content = Record<string, { schema?: object }>;
type Operations = Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>;

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

const patterns = rows.map(({ row }) => ({ row, pattern: new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** Fails unless the published document declares this answer: its status, its content type, its body, its code. */
export function expectDeclared(method: string, pathAndQuery: string, response: Response, body: unknown): void {
  const [path = ''] = pathAndQuery.split('?');
  const found = patterns.find(({ row, pattern }) => row.method === method && pattern.test(path));
  if (!found) return;
  const where = `${method} ${found.row.path} → ${response.status}`;
  const operation = (document.paths as unknown as Operations)[found.row.path]?.[method.toLowerCase()];
  const declared = operation?.responses[String(response.status)];
  expect(declared, `${where} is in the document: ${JSON.stringify(body)}`).toBeDefined();
  const type = response.headers.get('content-type')?.split(';')[0];
  if (!declared?.content) return expect(type ?? null, `${where} has no content`).toBeNull();
  expect(Object.keys(declared.content), where).toContain(type);
  const pointer = ['paths', found.row.path, method.toLowerCase(), 'responses', String(response.status), 'content', String(type), 'schema'];
  const validate = validatorAt(pointer);
  expect(validate(body), `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`).toBe(true);
  if (type !== 'application/problem+json') return;
  const { code } = body as { code: ErrorCode };
  expect(errorsOf(found.row), `${where} may answer ${code}`).toContain(code);
}

function validatorAt(pointer: string[]): ValidateFunction {
  const reference = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, known);
  return known;
}

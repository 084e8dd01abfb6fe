import { errorsOf, type ErrorCode, type Endpoint, endpoints } from '@profile-service/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import document from '../../openapi.json' with { type: 'json' };

type Content = Record<string, { schema?: object }>;
type Operations = Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>;

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

const patterns = endpoints.map(({ endpoint }) => ({ endpoint, pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** A response, with a parsed body if it is JSON. */
interface PlainAnswer {
  status: number;
  /** Content-Type without parameters; undefined if there is none. */
  type: string | undefined;
  body: unknown;
}

/** The endpoint with this method and path; undefined if there is none, or if the path cannot be decoded. */
export function endpointAt(method: string, pathAndQuery: string): Endpoint | undefined {
  const [path = ''] = pathAndQuery.split('?');
  try {
    decodeURIComponent(path);
  } catch {
    return undefined;
  }
  return patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint;
}

/** What the published document does not declare about the response: status, content type, body or code; undefined if it declares everything. */
export function undeclared(endpoint: Endpoint, { status, type, body }: PlainAnswer): string | undefined {
  const where = `${endpoint.method} ${endpoint.path} → ${status}`;
  const method = endpoint.method.toLowerCase();
  const declared = (document.paths as unknown as Operations)[endpoint.path]?.[method]?.responses[String(status)];
  if (!declared) return `${where} is not in the document: ${JSON.stringify(body)}`;
  if (!declared.content) return type === undefined ? undefined : `${where} should have no content, not ${type}`;
  if (type === undefined || !(type in declared.content)) return `${where} is ${type}, not ${Object.keys(declared.content).join(' or ')}`;
  const fault = schemaFault(['paths', endpoint.path, method, 'responses', String(status), 'content', type, 'schema'], body);
  if (fault) return `${where}: ${fault} in ${JSON.stringify(body)}`;
  if (type !== 'application/problem+json') return undefined;
  const { code } = body as { code: ErrorCode };
  return errorsOf(endpoint).includes(code) ? undefined : `${where} may not answer ${code}`;
}

/** Why the body does not match the schema at this place of the document. @param pointer keys from the root */
export function schemaFault(pointer: readonly string[], body: unknown): string | undefined {
  const path = `#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const schema = pointer.reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], document) as { $ref?: string };
  // Hundreds of responses refer to a few schemas. Each schema is compiled once.
  const reference = `document${schema.$ref ?? path}`;
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  const isValid: unknown = validate(body);
  return isValid ? undefined : ajv.errorsText(validate.errors);
}

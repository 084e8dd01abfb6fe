import type { NamedEndpoint, Endpoint } from '@profile-service/contracts';
import type { ContentObject, HeadersObject, ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

/** `format` is what generators of clients know; JSON Schema itself has no word for bytes. */
const bytes: SchemaObject = { type: 'string', format: 'binary' };

const header = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

/** The headers that a download looks at, as components. */
export const downloadParameters: Record<string, ParameterObject> = {
  Range: header('Range', 'A single range of bytes, such as `bytes=0-1023`: that part of the file. Several ranges count as none.'),
  IfRange: header('If-Range', 'An ETag: `Range` counts only while the file has it'),
  IfNoneMatch: header('If-None-Match', 'ETags that the client has: 304 where the file has one of them'),
};

/** The headers of files, as components. */
export const fileHeaders: HeadersObject = {
  'Accept-Ranges': { description: 'Always `bytes`', schema: { type: 'string' } },
  'Content-Disposition': { description: '`attachment`, with the original file name (RFC 6266, RFC 8187)', schema: { type: 'string' } },
  'Content-Range': { description: 'Which bytes of how many; after a 416 only how many', schema: { type: 'string' } },
  ETag: { description: 'Another content has another one', schema: { type: 'string' } },
};

/** What a download answers beside problems, by its headers: the file, a part of it, or nothing where the client has it. */
export const downloadSuccesses: Record<string, readonly string[]> = {
  200: ['Accept-Ranges', 'Content-Disposition', 'ETag'],
  206: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
  304: ['ETag'],
};

/** References to the headers that the row looks at. */
export const headerParametersOf = (endpoint: Endpoint): ReferenceObject[] =>
  endpoint.media === 'download' ? Object.keys(downloadParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })) : [];

/** The body of an upload. */
export const formContent = (schema: SchemaObject | ReferenceObject, { fileTypes }: Endpoint): ContentObject => ({
  'multipart/form-data': { schema, encoding: { file: { contentType: fileTypes.join(', ') } } },
});

/** The file of a download. */
export const fileContent = ({ fileTypes }: Endpoint): ContentObject =>
  Object.fromEntries(fileTypes.map((type) => [type, { schema: bytes }]));

/** Puts the file beside the fields, in the schemas of the uploads' bodies. */
export function addFiles(schemas: Record<string, SchemaObject | ReferenceObject>, endpoints: readonly NamedEndpoint[]): void {
  for (const { endpoint } of endpoints) {
    const schema = schemas[endpoint.body?.meta()?.id ?? ''] as SchemaObject | undefined;
    if (endpoint.media !== 'upload' || !schema) continue;
    schema.properties = { file: bytes, ...schema.properties };
    schema.required = ['file', ...(schema.required ?? [])];
  }
}

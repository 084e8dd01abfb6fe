import type { Endpoint, NamedEndpoint } from '@profile-service/contracts';
import type { ContentObject, HeadersObject, ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

/** Client generators know `format: binary`. JSON Schema itself has no type for bytes. */
const bytes: SchemaObject = { type: 'string', format: 'binary' };

const header = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

/** Request headers of downloads, as components. */
export const downloadParameters: Record<string, ParameterObject> = {
  Range: header('Range', 'A single byte range, such as `bytes=0-1023`. The service ignores a header with several ranges.'),
  IfRange: header('If-Range', 'An ETag. The service ignores `Range` unless the file has this ETag.'),
  IfNoneMatch: header('If-None-Match', 'ETags that the client has cached. If the file has one of them, the response is 304.'),
};

/** Response headers of downloads, as components. */
export const fileHeaders: HeadersObject = {
  'Accept-Ranges': { description: 'Always `bytes`.', schema: { type: 'string' } },
  'Content-Disposition': { description: '`attachment`, with the original file name (RFC 6266, RFC 8187).', schema: { type: 'string' } },
  'Content-Range': {
    description: 'The returned range and the size of the file: `bytes 0-1023/4096`. With 416 only the size: `bytes */4096`.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Identifies the content of the file.', schema: { type: 'string' } },
};

/** Successful statuses of a download, with their headers: the file, a range of it, or nothing because the client has it cached. */
export const downloadSuccesses: Record<string, readonly string[]> = {
  200: ['Accept-Ranges', 'Content-Disposition', 'ETag'],
  206: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
  304: ['ETag'],
};

/** References to the request headers of the endpoint. */
export const headerParametersOf = (endpoint: Endpoint): ReferenceObject[] =>
  endpoint.media === 'download' ? Object.keys(downloadParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })) : [];

/** The request body of an upload. */
export const formContent = (schema: SchemaObject | ReferenceObject, { fileTypes }: Endpoint): ContentObject => ({
  'multipart/form-data': { schema, encoding: { file: { contentType: fileTypes.join(', ') } } },
});

/** The response body of a download. */
export const fileContent = ({ fileTypes }: Endpoint): ContentObject =>
  Object.fromEntries(fileTypes.map((type) => [type, { schema: bytes }]));

/** Adds the file to the body schemas of uploads. */
export function addFiles(schemas: Record<string, SchemaObject | ReferenceObject>, endpoints: readonly NamedEndpoint[]): void {
  for (const { endpoint } of endpoints) {
    const schema = schemas[endpoint.body?.meta()?.id ?? ''] as SchemaObject | undefined;
    if (endpoint.media !== 'upload' || !schema) continue;
    schema.properties = { file: { ...bytes, description: 'Content of the file.' }, ...schema.properties };
    schema.required = ['file', ...(schema.required ?? [])];
  }
}

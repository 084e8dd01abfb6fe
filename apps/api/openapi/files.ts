import type { Endpoint, NamedEndpoint } from '@profile-service/contracts';
import type { ContentObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

/** Client generators know `format: binary`. JSON Schema itself has no type for bytes. */
const bytes: SchemaObject = { type: 'string', format: 'binary' };

/**
 * The request body of an upload. It has no `encoding` with the content types of the file: the API reference would send the list of them as
 * the content type of a file.
 */
export const formContent = (schema: SchemaObject | ReferenceObject): ContentObject => ({ 'multipart/form-data': { schema } });

/** Whether the response is a file. */
export const hasFile = ({ media }: Endpoint): boolean => media === 'download' || media === 'export';

/** The response body of a download or an export. Client generators return a file only if `application/octet-stream` is among the content types. */
export const fileContent = ({ fileTypes }: Endpoint): ContentObject =>
  Object.fromEntries(['application/octet-stream', ...fileTypes].map((type) => [type, { schema: bytes }]));

/** Describes the content type of a file. */
export const describeFile = ({ fileTypes }: Endpoint): string =>
  `the file. \`Content-Type\` is ${new Intl.ListFormat('en', { type: 'disjunction' }).format(fileTypes)}. \`application/octet-stream\` stands for all of them.`;

/** Adds the file to the body schemas of uploads. */
export function addFiles(schemas: Record<string, SchemaObject | ReferenceObject>, endpoints: readonly NamedEndpoint[]): void {
  for (const { endpoint } of endpoints) {
    const schema = schemas[endpoint.body?.meta()?.id ?? ''] as SchemaObject | undefined;
    if (endpoint.media !== 'upload' || !schema) continue;
    schema.properties = {
      file: { ...bytes, description: `The file. Its content type is one of ${endpoint.fileTypes.join(', ')}.` },
      ...schema.properties,
    };
    schema.required = ['file', ...(schema.required ?? [])];
  }
}

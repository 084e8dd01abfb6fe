import type { NamedEndpoint, Endpoint } from '@profile-service/contracts';
import type { ContentObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

/** `format` is what generators of clients know; JSON Schema itself has no word for bytes. */
const bytes: SchemaObject = { type: 'string', format: 'binary' };

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

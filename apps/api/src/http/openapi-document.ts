import generated from '../../openapi.json' with { type: 'json' };

/** The committed document, which CI holds against the rows, with the address at which the service is reached. */
export const openApiDocument = (publicUrl: string): object => ({ ...generated, servers: [{ url: publicUrl }] });

import generated from '../../../openapi.json' with { type: 'json' };

export interface ReferenceSettings {
  DOCS_CLIENT_ID?: string | undefined;
  IDENTITY_REALM_URL: string;
}

/** The committed OpenAPI document with the public URL of the service. CI checks that the document matches the contract. */
export const openApiDocument = (publicUrl: string): object => ({ ...generated, servers: [{ url: publicUrl }] });

/**
 * The document for the API reference. Its `security` selects the user's token at the top of the page; each operation selects its own scheme. With
 * DOCS_CLIENT_ID the document also has the authorization code flow with PKCE, so that users can log in on the page. The published document has only
 * bearer schemes.
 */
export function referenceDocument(
  { DOCS_CLIENT_ID: clientId, IDENTITY_REALM_URL: realmUrl }: ReferenceSettings,
  publicUrl: string,
): object {
  const document = { ...openApiDocument(publicUrl), security: [{ userToken: [] }, { serviceToken: [] }] };
  if (!clientId) return document;
  const protocolUrl = `${realmUrl}/protocol/openid-connect`;
  const authorizationCode = {
    authorizationUrl: `${protocolUrl}/auth`,
    tokenUrl: `${protocolUrl}/token`,
    scopes: { openid: 'Who you are' },
    'x-usePkce': 'SHA-256',
    'x-scalar-client-id': clientId,
    'x-scalar-redirect-uri': `${publicUrl}/docs`,
  };
  const { securitySchemes, ...components } = generated.components;
  const userToken = { type: 'oauth2', description: securitySchemes.userToken.description, flows: { authorizationCode } };
  return { ...document, components: { ...components, securitySchemes: { ...securitySchemes, userToken } } };
}

const operations = generated.paths as unknown as Record<string, Record<string, { tags: [string] }>>;

/** Returns the tag of an operation of the document. */
export const tagOf = (method: string, path: string): string => operations[path]?.[method.toLowerCase()]?.tags[0] ?? '';

import generated from '../../../openapi.json' with { type: 'json' };

export interface ReferenceSettings {
  DOCS_CLIENT_ID?: string | undefined;
  IDENTITY_REALM_URL: string;
}

/** The committed document with the public address of the service. CI checks the document against the contract. */
export const openApiDocument = (publicUrl: string): object => ({ ...generated, servers: [{ url: publicUrl }] });

/**
 * The document for the API reference, where users can also log in: with the public client DOCS_CLIENT_ID, by the authorization code flow with PKCE. The
 * published document has one bearer scheme for each operation.
 */
export function referenceDocument(settings: ReferenceSettings, publicUrl: string): object {
  if (!settings.DOCS_CLIENT_ID) return openApiDocument(publicUrl);
  const endpoints = `${settings.IDENTITY_REALM_URL}/protocol/openid-connect`;
  const authorizationCode = {
    authorizationUrl: `${endpoints}/auth`,
    tokenUrl: `${endpoints}/token`,
    scopes: { openid: 'Who you are' },
    'x-usePkce': 'SHA-256',
    'x-scalar-client-id': settings.DOCS_CLIENT_ID,
    'x-scalar-redirect-uri': `${publicUrl}/docs`,
  };
  const { securitySchemes, ...components } = generated.components;
  const userToken = { type: 'oauth2', description: securitySchemes.userToken.description, flows: { authorizationCode } };
  return { ...openApiDocument(publicUrl), components: { ...components, securitySchemes: { ...securitySchemes, userToken } } };
}

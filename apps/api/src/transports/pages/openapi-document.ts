import generated from '../../../openapi.json' with { type: 'json' };

export interface ReferenceSettings {
  DOCS_CLIENT_ID?: string | undefined;
  IDENTITY_REALM_URL: string;
}

/** The committed OpenAPI document with the public URL of the service. CI checks that the document matches the contract. */
export const openApiDocument = (publicUrl: string): object => ({ ...generated, servers: [{ url: publicUrl }] });

/**
 * The document for the API reference. With DOCS_CLIENT_ID it also has the authorization code flow with PKCE, so that users can log in on the page. The
 * published document has only bearer schemes.
 */
export function referenceDocument(settings: ReferenceSettings, publicUrl: string): object {
  if (!settings.DOCS_CLIENT_ID) return openApiDocument(publicUrl);
  const protocolUrl = `${settings.IDENTITY_REALM_URL}/protocol/openid-connect`;
  const authorizationCode = {
    authorizationUrl: `${protocolUrl}/auth`,
    tokenUrl: `${protocolUrl}/token`,
    scopes: { openid: 'Who you are' },
    'x-usePkce': 'SHA-256',
    'x-scalar-client-id': settings.DOCS_CLIENT_ID,
    'x-scalar-redirect-uri': `${publicUrl}/docs`,
  };
  const { securitySchemes, ...components } = generated.components;
  const userToken = { type: 'oauth2', description: securitySchemes.userToken.description, flows: { authorizationCode } };
  return { ...openApiDocument(publicUrl), components: { ...components, securitySchemes: { ...securitySchemes, userToken } } };
}

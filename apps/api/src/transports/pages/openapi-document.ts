import generated from '../../../openapi.json' with { type: 'json' };

export interface ReferenceSettings {
  DOCS_CLIENT_ID?: string | undefined;
  IDENTITY_REALM_URL: string;
}

/** The committed document, which CI holds against the rows, with the address at which the service is reached. */
export const openApiDocument = (publicUrl: string): object => ({ ...generated, servers: [{ url: publicUrl }] });

/**
 * The same for the API reference, where a person's token can also be had by logging in: with the public client DOCS_CLIENT_ID,
 * by the authorization code flow with PKCE. The published document keeps one bearer scheme for each operation.
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

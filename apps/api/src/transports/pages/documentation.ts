import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { renderApiReference } from '@scalar/client-side-rendering';
import helmet from 'helmet';
import { errorsPage } from './errors-page.ts';
import { openApiDocument, referenceDocument, type ReferenceSettings } from './openapi-document.ts';
import { type Page, type Pages, pathOf, sendContent } from './page.ts';

export interface DocumentationOptions {
  settings: ReferenceSettings;
  publicUrl: string;
}

/** The paths of the documentation. */
export type DocumentationPath = '/openapi.json' | '/docs' | '/docs/openapi.json' | '/docs/scalar.js' | '/errors';

/** The script of the API reference. The service serves it itself, so that the page needs no other host. */
const scalarBundle = createRequire(import.meta.url)
  .resolve('@scalar/api-reference')
  .replace(/index\.js$/, 'browser/standalone.js');

/** Creates the pages of OpenAPI document, API reference and error catalogue. */
export function createDocumentation({ settings, publicUrl }: DocumentationOptions): Pages<DocumentationPath> {
  const provider = new URL(settings.IDENTITY_REALM_URL).origin;
  const errors = constant('html', errorsPage());
  let script: Promise<Buffer> | undefined;
  return {
    '/openapi.json': constant('json', JSON.stringify(openApiDocument(publicUrl))),
    async '/docs'(request, response) {
      const nonce = await setPageHeaders(request, response, provider);
      // Relative to the page, because a proxy may add a path prefix.
      const folder = pathOf(request).endsWith('/') ? '.' : './docs';
      const config = referenceConfiguration(settings, folder);
      const page = renderApiReference({ config, pageTitle: 'Profile service', cdn: `${folder}/scalar.js`, nonce });
      sendContent(response, 'html', page);
    },
    '/docs/openapi.json': constant('json', JSON.stringify(referenceDocument(settings, publicUrl))),
    async '/docs/scalar.js'(request, response) {
      await setPageHeaders(request, response, provider);
      const content = await (script ??= readFile(scalarBundle));
      response.setHeader('cache-control', 'public, max-age=3600');
      sendContent(response, 'javascript', content);
    },
    async '/errors'(request, response) {
      await setPageHeaders(request, response, provider);
      await errors(request, response);
    },
  };
}

/** Sends the same content to every request. It is encoded once: clients that never read their responses could fill the memory with copies. */
function constant(type: 'json' | 'html', content: string): Page {
  const bytes = Buffer.from(content);
  return (_request, response) => sendContent(response, type, bytes);
}

/** Sets the security headers of an HTML page. @returns the nonce of its scripts */
async function setPageHeaders(request: IncomingMessage, response: ServerResponse, provider: string): Promise<string> {
  const nonce = randomBytes(16).toString('base64');
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(provider, nonce) },
    // The login runs in a pop-up window on another origin and needs its opener when it returns.
    crossOriginOpenerPolicy: false,
  });
  await new Promise<void>((resolve, reject) => setHeaders(request, response, (error) => (error ? reject(error as Error) : resolve())));
  return nonce;
}

/** The content security policy of the HTML pages. @param provider origin of the identity provider, for the login @param nonce of the response */
function contentSecurityPolicy(provider: string, nonce: string) {
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", `'nonce-${nonce}'`],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", provider],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  };
}

/** The configuration of Scalar's API reference. */
function referenceConfiguration(settings: ReferenceSettings, folder: string) {
  const logIn = { userToken: { flows: { authorizationCode: { selectedScopes: ['openid'] } } } };
  return {
    url: `${folder}/openapi.json`,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never' as const,
    // These features would send data to other hosts.
    agent: { disabled: true },
    mcp: { disabled: true },
    authentication: {
      preferredSecurityScheme: 'userToken',
      ...(settings.DOCS_CLIENT_ID ? { securitySchemes: logIn } : {}),
    },
  };
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { renderApiReference } from '@scalar/client-side-rendering';
import helmet from 'helmet';
import type { DocumentationPath } from './documentation-paths.ts';
import { errorsPage } from './errors-page.ts';
import { icon, svgIcon } from './favicon.ts';
import { type HtmlPage, policyOf, renderPage } from './html/layout.ts';
import { landingPage } from './landing-page.ts';
import { openApiDocument, referenceDocument, type ReferenceSettings } from './openapi-document.ts';
import { type ContentType, type Page, type Pages, pathOf, sendContent } from './page.ts';
import { loadScalarScript } from './scalar-script.ts';
import { sendStatic, type StaticContent, textContent } from './static-content.ts';

export interface DocumentationOptions {
  settings: ReferenceSettings;
  publicUrl: string;
  /** The page at `/`. Default: links to the other pages. */
  landing?: HtmlPage | undefined;
}

/** Creates the pages of OpenAPI document, API reference and error catalogue, the landing page and the icons. */
export function createDocumentation({ settings, publicUrl, landing = landingPage }: DocumentationOptions): Pages<DocumentationPath> {
  const provider = new URL(settings.IDENTITY_REALM_URL).origin;
  const reference = textContent('json', JSON.stringify(referenceDocument(settings, publicUrl)));
  let loading: Promise<StaticContent> | undefined;
  const loadScript = () =>
    (loading ??= loadScalarScript().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return {
    '/': htmlPage(() => landing),
    async '/docs'(request, response) {
      const nonce = randomBytes(16).toString('base64');
      await setPageHeaders(request, response, contentSecurityPolicy(provider, nonce));
      const base = baseOf(request);
      const [document, script] = [reference, await loadScript()].map(({ hash }) => `?v=${hash}`);
      const config = referenceConfiguration(settings, `${base}docs/openapi.json${document}`);
      const page = renderApiReference({ config, pageTitle: 'Profile service', cdn: `${base}docs/scalar.js${script}`, nonce });
      const head = `<link rel="icon" href="${base}favicon.svg" type="image/svg+xml"></head>`;
      sendContent(response, 'html', page.replace('<html>', '<html lang="en">').replace('</head>', head));
    },
    '/docs/openapi.json': staticPage(reference),
    async '/docs/scalar.js'(request, response) {
      await sendStatic(request, response, await loadScript());
    },
    '/errors': htmlPage(errorsPage),
    '/favicon.ico': iconPage('icon', icon),
    '/favicon.svg': iconPage('svg', Buffer.from(svgIcon)),
    '/openapi.json': staticPage(textContent('json', JSON.stringify(openApiDocument(publicUrl)))),
  };
}

const staticPage =
  (content: StaticContent): Page =>
  (request, response) =>
    sendStatic(request, response, content);

const iconPage =
  (type: ContentType, bytes: Buffer): Page =>
  (_request, response) => {
    response.setHeader('cache-control', 'public, max-age=86400');
    sendContent(response, type, bytes);
  };

/** Address of the service's folder, relative to the page. A proxy may add a path prefix, and the address of a page may end in a slash. */
const baseOf = (request: IncomingMessage): string => (/.\/$/.test(pathOf(request)) ? '../' : './');

/** Serves a page that is the same in every response. @param create renders it for a base address */
function htmlPage(create: (base: string) => HtmlPage): Page {
  const rendered = new Map<string, { content: StaticContent; policy: string }>();
  const render = (base: string) => {
    const page = create(base);
    const entry = { content: textContent('html', renderPage(page, base)), policy: policyOf(page) };
    rendered.set(base, entry);
    return entry;
  };
  return async (request, response) => {
    const base = baseOf(request);
    const { content, policy } = rendered.get(base) ?? render(base);
    await setPageHeaders(request, response, policy);
    await sendStatic(request, response, content);
  };
}

/** Sets the security headers of an HTML page. */
async function setPageHeaders(request: IncomingMessage, response: ServerResponse, policy: string): Promise<void> {
  // The login runs in a pop-up window on another origin and needs its opener when it returns.
  const setHeaders = helmet({ contentSecurityPolicy: false, crossOriginOpenerPolicy: false });
  await new Promise<void>((resolve, reject) => setHeaders(request, response, (error) => (error ? reject(error as Error) : resolve())));
  response.setHeader('content-security-policy', policy);
}

/** The content security policy of the API reference. @param provider origin of the identity provider, for the login @param nonce of the response */
const contentSecurityPolicy = (provider: string, nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${provider}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');

/** The configuration of Scalar's API reference. */
function referenceConfiguration(settings: ReferenceSettings, url: string) {
  const logIn = { userToken: { flows: { authorizationCode: { selectedScopes: ['openid'] } } } };
  return {
    url,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never' as const,
    // These features would send data to other hosts.
    agent: { disabled: true },
    mcp: { disabled: true },
    ...(settings.DOCS_CLIENT_ID ? { authentication: { securitySchemes: logIn } } : {}),
  };
}

import { randomBytes } from 'node:crypto';
import { apiReference } from '@scalar/express-api-reference';
import type { RequestHandler, Response } from 'express';
import { htmlHeaders } from './html-headers.ts';
import { baseOf } from './layout.ts';
import { referenceDocument, type ReferenceSettings } from './openapi-document.ts';
import { readScript } from './reference-script.ts';
import { createStaticContent, type StaticContent } from './static-content.ts';

/** The handlers of the API reference and of the files that it loads. */
export interface Reference {
  page: RequestHandler[];
  document: RequestHandler;
  script: RequestHandler;
}

/** Creates the API reference. */
export function createReference(settings: ReferenceSettings, publicUrl: string): Reference {
  const document = createStaticContent('json', Buffer.from(JSON.stringify(referenceDocument(settings, publicUrl))));
  let loading: Promise<StaticContent> | undefined;
  const loadScript = () => (loading ??= readScript().then((bytes) => createStaticContent('js', bytes)));
  const configuration = configurationOf(settings);

  return {
    page: [
      setNonce,
      htmlHeaders({
        scriptSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as Response)}'`],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        // The login.
        connectSrc: ["'self'", new URL(settings.IDENTITY_REALM_URL).origin],
        formAction: ["'self'"],
      }),
      async (request, response, next) => {
        const base = baseOf(request);
        const { version } = await loadScript();
        addLanguageAndIcon(response, base);
        const render = apiReference({
          ...configuration,
          url: `${base}docs/openapi.json?v=${document.version}`,
          cdn: `${base}docs/scalar.js?v=${version}`,
          nonce: nonceOf(response),
        }) as RequestHandler;
        await render(request, response, next);
      },
    ],
    document: document.send,
    script: async (request, response, next) => (await loadScript()).send(request, response, next),
  };
}

const setNonce: RequestHandler = (_request, response, next) => {
  response.locals['nonce'] = randomBytes(16).toString('base64');
  next();
};
const nonceOf = ({ locals }: Response): string => String(locals['nonce']);

/** Adds what Scalar's HTML lacks. */
function addLanguageAndIcon(response: Response, base: string): void {
  const send = response.send.bind(response);
  const head = `<link rel="icon" href="${base}favicon.svg" type="image/svg+xml"></head>`;
  response.send = (html: string) => send(html.replace('<html>', '<html lang="en">').replace('</head>', head));
}

/** The configuration of Scalar's API reference. */
function configurationOf(settings: ReferenceSettings) {
  const logIn = { userToken: { flows: { authorizationCode: { selectedScopes: ['openid'] } } } };
  return {
    pageTitle: 'Profile service',
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

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { ProblemError } from '@profile-service/contracts';
import { apiReference } from '@scalar/express-api-reference';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { Health } from '../../observability/health.ts';
import { errorsPage } from './errors-page.ts';
import type { Transport } from '../http/listener.ts';
import { openApiDocument, referenceDocument, type ReferenceSettings } from './openapi-document.ts';

export interface PagesOptions {
  settings: ReferenceSettings;
  publicUrl: string;
  health: Health;
}

/** Self-contained: the docs work without any other host. */
const scalarBundle = createRequire(import.meta.url)
  .resolve('@scalar/api-reference')
  .replace(/index\.js$/, 'browser/standalone.js');

const addresses = ['/health/live', '/health/ready', '/openapi.json', '/docs', '/docs/openapi.json', '/docs/scalar.js', '/errors'];

/** Everything that is not hot, in Express: health, the OpenAPI document, the API reference, the texts of the errors. */
export function createPages({ settings, publicUrl, health }: PagesOptions): Transport {
  const app = express().disable('x-powered-by').disable('etag');
  serveHealth(app, health);

  app.get('/openapi.json', sendAlways('json', openApiDocument(publicUrl)));

  const provider = new URL(settings.IDENTITY_REALM_URL).origin;
  app.use(['/docs', '/errors'], (request, response, next) => {
    response.locals['nonce'] = randomBytes(16).toString('base64');
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: pagePolicy(provider) },
      // The log-in is a window of its own, which comes back to this page by way of another origin and must still know its opener.
      crossOriginOpenerPolicy: false,
    })(request, response, next);
  });
  app.get('/docs', (request, response, next) => {
    void apiReference(referenceConfiguration(settings, request, response))(request as Request<never>, response as Response<string>, next);
  });
  app.get('/docs/openapi.json', sendAlways('json', referenceDocument(settings, publicUrl)));
  let script: Promise<Buffer> | undefined;
  app.get('/docs/scalar.js', async (_request, response) => {
    response
      .set('cache-control', 'public, max-age=3600')
      .type('js')
      .send(await (script ??= readFile(scalarBundle)));
  });
  app.get('/errors', sendAlways('html', errorsPage()));
  app.all(addresses, (_request, response) => {
    response.set('allow', 'GET, HEAD');
    throw new ProblemError('METHOD_NOT_ALLOWED');
  });

  // An Express application is a listener with a third parameter, which its types do not tell.
  const handle = app as unknown as (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  return (exchange) =>
    new Promise((resolve, reject) => {
      const { request, response } = exchange;
      exchange.applyHeaders();
      response.once('close', () => resolve(true));
      handle(request, response, (error) => (error ? reject(error as Error) : resolve(false)));
    });
}

/** Made once: of a copy for each request, clients that never read their answer would fill the memory, as with the script. */
function sendAlways(type: 'json' | 'html', content: object | string): RequestHandler {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  return (_request, response) => void response.type(type).send(bytes);
}

/** `/health/live` and `/health/ready`, on the public and on the management port. */
export function serveHealth(app: Express, health: Health): void {
  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/health/ready', (_request, response) => {
    const report = health.report();
    response.status(report.status === 'down' ? 503 : 200).json(report);
  });
}

function pagePolicy(provider: string) {
  const nonce = (_request: unknown, response: unknown) => `'nonce-${(response as Response).locals['nonce']}'`;
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", nonce],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", provider],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  };
}

function referenceConfiguration(settings: ReferenceSettings, request: Request, response: Response) {
  // Seen from the page, since a proxy may have put a path before it.
  const folder = request.path.endsWith('/') ? '.' : './docs';
  const logIn = { userToken: { flows: { authorizationCode: { selectedScopes: ['openid'] } } } };
  return {
    url: `${folder}/openapi.json`,
    cdn: `${folder}/scalar.js`,
    nonce: String(response.locals['nonce']),
    pageTitle: 'Profile service',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never' as const,
    // Nothing of the page leaves for another host.
    agent: { disabled: true },
    mcp: { disabled: true },
    authentication: {
      preferredSecurityScheme: 'userToken',
      ...(settings.DOCS_CLIENT_ID ? { securitySchemes: logIn } : {}),
    },
  };
}

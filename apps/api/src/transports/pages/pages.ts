import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { ProblemError } from '@profile-service/contracts';
import { apiReference } from '@scalar/express-api-reference';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { Health, HealthReport } from '../../observability/health.ts';
import { errorsPage } from './errors-page.ts';
import type { Transport } from '../http/listener.ts';
import { openApiDocument, referenceDocument, type ReferenceSettings } from './openapi-document.ts';

export interface PagesOptions {
  settings: ReferenceSettings;
  publicUrl: string;
  health: Health;
}

/** The script of the API reference. The service serves it itself, so that the page needs no other host. */
const scalarBundle = createRequire(import.meta.url)
  .resolve('@scalar/api-reference')
  .replace(/index\.js$/, 'browser/standalone.js');

const paths = ['/health/live', '/health/ready', '/openapi.json', '/docs', '/docs/openapi.json', '/docs/scalar.js', '/errors'];

/** Creates the transport of health, OpenAPI document, API reference and error catalogue. It uses Express, because their speed does not matter. */
export function createPages({ settings, publicUrl, health }: PagesOptions): Transport {
  const app = express().disable('x-powered-by').disable('etag');
  serveHealth(app, () => health.report());

  app.get('/openapi.json', sendConstant('json', openApiDocument(publicUrl)));

  const provider = new URL(settings.IDENTITY_REALM_URL).origin;
  app.use(['/docs', '/errors'], (request, response, next) => {
    response.locals['nonce'] = randomBytes(16).toString('base64');
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(provider) },
      // The login runs in a pop-up window on another origin and needs its opener when it returns.
      crossOriginOpenerPolicy: false,
    })(request, response, next);
  });
  app.get('/docs', (request, response, next) => {
    void apiReference(referenceConfiguration(settings, request, response))(request as Request<never>, response as Response<string>, next);
  });
  app.get('/docs/openapi.json', sendConstant('json', referenceDocument(settings, publicUrl)));
  let script: Promise<Buffer> | undefined;
  app.get('/docs/scalar.js', async (_request, response) => {
    response
      .set('cache-control', 'public, max-age=3600')
      .type('js')
      .send(await (script ??= readFile(scalarBundle)));
  });
  app.get('/errors', sendConstant('html', errorsPage()));
  app.all(paths, (_request, response) => {
    response.set('allow', 'GET, HEAD');
    throw new ProblemError('METHOD_NOT_ALLOWED');
  });

  // An Express application accepts `next` as a third parameter, which its types omit.
  const handle = app as unknown as (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  return (exchange) =>
    new Promise((resolve, reject) => {
      const { request, response } = exchange;
      exchange.applyHeaders();
      response.once('close', () => resolve(true));
      handle(request, response, (error) => (error ? reject(error as Error) : resolve(false)));
    });
}

/** Sends the same content to every request. It is encoded once: clients that never read their responses could fill the memory with copies. */
function sendConstant(type: 'json' | 'html', content: object | string): RequestHandler {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  return (_request, response) => void response.type(type).send(bytes);
}

/**
 * Serves `/health/live` and `/health/ready`, on the public and on the management port.
 * @param report the body of `/health/ready`
 */
export function serveHealth(app: Express, report: () => HealthReport): void {
  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/health/ready', (_request, response) => {
    const body = report();
    response.status(body.status === 'down' ? 503 : 200).json(body);
  });
}

/** The content security policy of the HTML pages. @param provider origin of the identity provider, for the login */
function contentSecurityPolicy(provider: string) {
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

/** The configuration of Scalar's API reference. */
function referenceConfiguration(settings: ReferenceSettings, request: Request, response: Response) {
  // Relative to the page, because a proxy may add a path prefix.
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
    // These features would send data to other hosts.
    agent: { disabled: true },
    mcp: { disabled: true },
    authentication: {
      preferredSecurityScheme: 'userToken',
      ...(settings.DOCS_CLIENT_ID ? { securitySchemes: logIn } : {}),
    },
  };
}

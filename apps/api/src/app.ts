import express, { type Express, type RequestHandler } from 'express';
import type { Health } from './observability/health.ts';
import type { Log } from './observability/log.ts';
import type { Tracing } from './observability/tracing/tracing.ts';
import type { Admission } from './request/limits/admission.ts';
import type { OutboundBufferLimit } from './request/limits/outbound-buffer-limit.ts';
import type { RateLimits } from './request/limits/rate-limits.ts';
import type { Operation } from './request/operation.ts';
import type { Settings } from './settings.ts';
import { createAddressLimit } from './transports/http/address-limit.ts';
import { createContext } from './transports/http/context.ts';
import { createCors } from './transports/http/cors.ts';
import { createErrorHandler, methodNotAllowed, notFound } from './transports/http/errors.ts';
import { createOverloadProtection } from './transports/http/overload.ts';
import { createRequestLog } from './transports/http/request-log.ts';
import { requireHost } from './transports/http/require-host.ts';
import { setSecurityHeaders } from './transports/http/security-headers.ts';
import { createReady, live } from './transports/pages/health.ts';
import type { HtmlPage } from './transports/pages/layout.ts';
import type { PagesOptions } from './transports/pages/pages.ts';
import { pagePaths } from './transports/pages/paths.ts';
import { createRest } from './transports/rest/rest.ts';
import { createTrpc } from './transports/trpc/trpc.ts';

export interface AppOptions {
  settings: Pick<
    Settings,
    'ATTACHMENT_MAX_BYTES' | 'IMPORT_MAX_BYTES' | 'CORS_ORIGINS' | 'DOCS_CLIENT_ID' | 'IDENTITY_REALM_URL' | 'TRUST_PROXY'
  >;
  /** The service's URL for clients. */
  publicUrl: string;
  operations: readonly Operation[];
  health: Health;
  rateLimits: RateLimits;
  /** Admits requests to the database. */
  admission: Admission;
  outboundBuffer: OutboundBufferLimit;
  log: Log;
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined;
  /** The page at `/`. */
  landing?: HtmlPage | undefined;
}

/** Creates the Express application: what each request passes, in this order. */
export function createApp({ settings, publicUrl, operations, health, log, tracing, ...options }: AppOptions): Express {
  const limitAddress = createAddressLimit(options.rateLimits, settings.TRUST_PROXY, options.admission);
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser').enable('case sensitive routing');

  app.use(createOverloadProtection(options.admission, publicUrl));
  app.use(createContext(options.outboundBuffer));
  app.use(createRequestLog(log, tracing));
  app.use(setSecurityHeaders);
  app.use(createCors(settings.CORS_ORIGINS ?? [], operations));
  app.use(requireHost);

  // A health check must not fail because of other requests, so it comes before the limits.
  app.route('/health/live').get(live).all(methodNotAllowed);
  app
    .route('/health/ready')
    .get(createReady(() => health.report()))
    .all(methodNotAllowed);

  // It applies the limit of the address itself: a batch counts as several requests.
  app.use(createTrpc(operations, publicUrl, limitAddress, tracing));
  app.use((request, response, next) => {
    limitAddress(request, response.locals.context);
    next();
  });
  app.use(createRest(operations, { attachments: settings.ATTACHMENT_MAX_BYTES, imports: settings.IMPORT_MAX_BYTES }));
  app.route([...pagePaths]).all(createLazyPages({ settings, publicUrl, landing: options.landing }));

  app.use(notFound);
  app.use(createErrorHandler(publicUrl, log));
  return app;
}

/** Loads the pages at their first request: they take 10 MB of memory, and most instances never serve one. */
function createLazyPages(options: PagesOptions): RequestHandler {
  let loading: Promise<RequestHandler> | undefined;
  const load = () => (loading ??= import('./transports/pages/pages.ts').then(({ createPages }) => createPages(options)));
  return async (request, response, next) => (await load())(request, response, next);
}

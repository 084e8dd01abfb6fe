import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../http/errors.ts';
import { setRateLimitHeaders } from '../http/send.ts';
import { errorsPage } from './errors-page.ts';
import { icon, svgIcon } from './favicon.ts';
import { htmlPage } from './html-page.ts';
import { landingPage } from './landing-page.ts';
import type { HtmlPage } from './layout.ts';
import { openApiDocument, type ReferenceSettings } from './openapi-document.ts';
import type { PagePath } from './paths.ts';
import { createReference } from './reference.ts';
import { createStaticContent } from './static-content.ts';

export interface PagesOptions {
  settings: ReferenceSettings;
  publicUrl: string;
  /** The page at `/`. Default: links to the other pages. */
  landing?: HtmlPage | undefined;
}

/** Creates the routes of OpenAPI document, API reference, error catalogue, landing page and icons. */
export function createPages({ settings, publicUrl, landing = landingPage }: PagesOptions): Router {
  const router = Router({ caseSensitive: true });
  const page = (path: PagePath, ...handlers: RequestHandler[]) => router.route(path).get(handlers).all(methodNotAllowed);
  const reference = createReference(settings, publicUrl);

  router.use((_request, response, next) => {
    setRateLimitHeaders(response);
    next();
  });
  page(
    '/',
    htmlPage(() => landing),
  );
  page('/docs', ...reference.page);
  page('/docs/openapi.json', reference.document);
  page('/docs/scalar.js', reference.script);
  page('/errors', htmlPage(errorsPage));
  page('/openapi.json', createStaticContent('json', Buffer.from(JSON.stringify(openApiDocument(publicUrl)))).send);
  page('/favicon.ico', sendIcon('image/x-icon', icon));
  page('/favicon.svg', sendIcon('image/svg+xml; charset=utf-8', Buffer.from(svgIcon)));
  return router;
}

const sendIcon =
  (type: string, bytes: Buffer): RequestHandler =>
  (_request, response) => {
    response.setHeader('cache-control', 'public, max-age=86400');
    response.type(type).send(bytes);
  };

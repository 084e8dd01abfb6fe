import type { RequestListener } from 'node:http';

/**
 * Reduces a request target that is an absolute URL to its path and query (RFC 9112, 3.2.2). Express would parse it with the deprecated `url.parse`, which
 * throws for some targets.
 */
export const withPathAsTarget =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url?.startsWith('/') === false) request.url = `/${request.url.replace(/^https?:\/\/[^/?]*\/?/i, '')}`;
    listener(request, response);
  };

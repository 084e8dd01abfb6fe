import type { RequestHandler } from 'express';
import { setHeaders } from './send.ts';

/** Headers of API responses: a browser must not cache, frame, sniff or run their content. HTML pages replace them by those of helmet. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** Sets the headers of API responses. helmet would compute the same values for each response. */
export const setSecurityHeaders: RequestHandler = (_request, response, next) => {
  setHeaders(response, securityHeaders);
  next();
};

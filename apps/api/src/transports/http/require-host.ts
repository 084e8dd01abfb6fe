import type { RequestHandler } from 'express';
import { validationFailed } from '../../request/validation-failed.ts';

/** Rejects a request without a Host header, or with two (RFC 9112, 3.2). Node would do so without a problem document. @throws VALIDATION_FAILED */
export const requireHost: RequestHandler = ({ headers: { host }, httpVersion }, _response, next) => {
  if (host === undefined && httpVersion === '1.1') throw validationFailed('Host', 'The header is missing');
  if (host?.includes(',')) throw validationFailed('Host', 'The header occurs more than once');
  next();
};

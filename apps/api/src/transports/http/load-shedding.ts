import type { IncomingMessage, RequestListener } from 'node:http';
import type { Admission } from '../../request/limits/admission.ts';
import { keyOfTenant } from '../../request/limits/keys.ts';
import { problemDocument, problemHeaders } from '../../request/problem.ts';
import type { LimitAddress } from './address-limit.ts';
import { requestIdOf } from './exchange.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Rejects requests while too many wait for their turn, before anything else about them is looked at. The rate limit of the address comes afterwards.
 * @throws SERVICE_UNAVAILABLE
 */
export const withLoadShedding =
  (limitAddress: LimitAddress, admission: Admission): LimitAddress =>
  (exchange, requests) => {
    if (admission.isFull(keyOf(exchange.request))) {
      exchange.isShed = true;
      throw admission.shed();
    }
    limitAddress(exchange, requests);
  };

/** Bodies up to this size are received after the response, so that the connection stays open. In bytes. */
const discardedBytes = 16_384;

/**
 * Does the same for most REST requests at less than a third of the CPU time, so that rejecting leaves time for the accepted requests: without a log line, a
 * trace and its own error. Requests with a large body or an Origin, and those over tRPC, take the usual path.
 * @param docsBase URL of the service, for the `type` of problem documents
 */
export function shedFirst(listener: RequestListener, admission: Admission, docsBase: string): RequestListener {
  const { overloaded } = admission;
  const idMark = '<id>';
  const [head = '', tail = ''] = JSON.stringify(problemDocument(overloaded, idMark, docsBase)).split(idMark);
  const bytes = Buffer.byteLength(head + tail);
  const headers = Object.entries({
    ...securityHeaders,
    ...problemHeaders(overloaded, true),
    'content-type': 'application/problem+json',
  }).flat();

  return (request, response) => {
    if (!isSimple(request) || !admission.isFull(keyOf(request))) return listener(request, response);
    admission.countShed();
    const requestId = requestIdOf(request);
    response
      .writeHead(overloaded.status, [...headers, 'x-request-id', requestId, 'content-length', String(bytes + requestId.length)])
      .end(head + requestId + tail);
  };
}

/** Whether the response needs no CORS headers, and Node can discard the rest of the request. */
const isSimple = ({ url = '', headers }: IncomingMessage): boolean =>
  /^\/(api|service)\//.test(url) &&
  headers.origin === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) <= discardedBytes;

/**
 * The tenant that the request names in X-Tenant-Id. Whether the caller may use it is not known yet: who names another tenant is at most rejected.
 * @returns undefined if the request names none
 */
function keyOf({ headers: { 'x-tenant-id': tenantId } }: IncomingMessage): string | undefined {
  return typeof tenantId === 'string' ? keyOfTenant(tenantId.toLowerCase()) : undefined;
}

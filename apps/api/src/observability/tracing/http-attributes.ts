import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
} from '@opentelemetry/semantic-conventions';
import type { TracedRequest, TracedResponse } from './tracing.ts';

/** The conventions also name path, query and addresses. They can contain personal data, so spans do not have them. */
export const attributesOfRequest = ({ method, protocolVersion }: TracedRequest): Attributes => ({
  [ATTR_HTTP_REQUEST_METHOD]: method,
  [ATTR_NETWORK_PROTOCOL_VERSION]: protocolVersion,
});

/** Names the span after the route, and records the outcome. A 5xx fails the span, other statuses do not. */
export function recordResponse(span: Span, method: string, { route, status, code }: TracedResponse): void {
  if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute(ATTR_HTTP_ROUTE, route);
  if (status === undefined) span.setAttribute(ATTR_ERROR_TYPE, 'client_disconnected');
  else span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
  if (code !== undefined) span.setAttribute(ATTR_ERROR_TYPE, code);
  if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

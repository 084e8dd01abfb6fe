import { WebhookError } from '../webhook-error.ts';

/** Texts for the owner of a webhook. The messages of the system contain addresses. */
const texts: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed',
  EPIPE: 'The connection was closed',
  UND_ERR_SOCKET: 'The connection was closed',
  ETIMEDOUT: 'The connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out',
  EHOSTUNREACH: 'The address cannot be reached',
  ENETUNREACH: 'The address cannot be reached',
  EADDRNOTAVAIL: 'The address cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large',
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Describes why a request failed, without details of the internal network. */
export function describeError(error: unknown): string {
  if (error instanceof WebhookError) return error.message;
  const code = codeOf(error);
  return (
    texts[code] ?? (error instanceof Error && error.name === 'HTTPParserError' ? 'The response is not valid HTTP' : 'The request failed')
  );
}

/** Describes why TLS failed. The other codes of OpenSSL, such as `CERT_HAS_EXPIRED`, are about the certificate. */
export function describeTlsError(error: Error): string {
  const code = codeOf(error);
  if (texts[code] !== undefined) return texts[code];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'The TLS handshake failed';
  return `The TLS certificate is not valid (${code})`;
}

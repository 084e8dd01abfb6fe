/** An HTTP request. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token: string;
  /** X-Tenant-Id. */
  tenant?: string | undefined;
  /** Further headers, by lower-case name. */
  headers?: Record<string, string>;
  /** A JSON body, or a form with its content type. */
  body?: object | { type: string; bytes: Buffer };
}

export interface Content {
  type: string;
  bytes: Buffer;
}

/** The headers and the body of a request, as every client sends them. */
export function headersAndBody({ token, tenant, headers: further = {}, body }: HttpRequest): {
  headers: Record<string, string>;
  content: Buffer;
} {
  const { type, bytes } = contentOf(body);
  const headers = {
    host: '127.0.0.1',
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'user-agent': 'profile-service-bench',
    ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
    ...further,
    ...(body === undefined ? {} : { 'content-type': type, 'content-length': String(bytes.length) }),
  };
  return { headers, content: bytes };
}

function contentOf(body: HttpRequest['body']): Content {
  if (body === undefined) return { type: '', bytes: Buffer.alloc(0) };
  if ('bytes' in body) return body;
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
}

/** The bytes of a request. */
export function encode(request: HttpRequest): Buffer {
  const { headers, content } = headersAndBody(request);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`), content]);
}

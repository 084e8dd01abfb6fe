import { TestRunner } from 'vitest';

/** A request that a test has sent, and its response. */
interface Exchange {
  /** Method and path, such as `GET /api/users`. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Text, or bytes and forms, of which only the size is shown. */
  body: unknown;
  response: { status: number; body: Buffer | string };
}

/** The number of exchanges that are kept per test. The last one is shown as a whole, the others in one line each. */
const kept = 6;
const longestBody = 2_000;
const exchanges = new WeakMap<object, Exchange[]>();

/** Keeps the exchange. If the running test fails, the message of its first error ends with the last exchanges. */
export function recordExchange(exchange: Exchange): void {
  const test = TestRunner.getCurrentTest();
  if (!test) return;
  const known = exchanges.get(test);
  if (known) return void (known.push(exchange) > kept && known.shift());
  const own = [exchange];
  exchanges.set(test, own);
  test.context.onTestFailed(({ task }) => {
    const error = task.result?.errors?.[0];
    if (error) error.message += `\n\n${describeExchanges(own)}`;
  });
}

/** The last exchange as a whole, after a line for each earlier one. The token is not shown. */
export function describeExchanges(all: readonly Exchange[]): string {
  const earlier = all.slice(0, -1).map(({ target, response }) => `${target} -> ${response.status}`);
  const [last] = all.slice(-1);
  return [...(earlier.length > 0 ? ['Earlier requests:', ...earlier, ''] : []), ...(last ? [describeExchange(last)] : [])].join('\n');
}

function describeExchange({ target, headers, body, response }: Exchange): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${/^authorization$/i.test(name) ? '***' : String(value)}`);
  const sent = body === undefined ? [] : ['', shorten(body)];
  return ['Last request:', target, ...shown, ...sent, '', `Response: ${response.status}`, shorten(response.body)].join('\n');
}

function shorten(body: unknown): string {
  if (!Buffer.isBuffer(body) && (body instanceof FormData || body instanceof Uint8Array)) return '(a form or a file)';
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
  if (/[\uFFFD\0]/.test(text)) return `(${Buffer.byteLength(text)} bytes)`;
  return text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text;
}

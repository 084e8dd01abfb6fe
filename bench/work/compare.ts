import { deepStrictEqual } from 'node:assert';
import { headersAndBody } from './encode.ts';
import type { Work } from './work.ts';
import type { World } from './world.ts';

/** Throws unless service and floor respond to the work with equal status and body. In responses to writes, ids and times may differ. */
export async function assertEqualResponses(work: Work, world: World, ports: { service: number; floor: number }): Promise<void> {
  const count = work.different === 'all' ? 3 : Math.min(work.different, 20);
  for (let n = 0; n < count; n += 1) {
    // Both create a record of their own.
    const [service, floor] = [
      await responseOf(work, world, ports.service, 2 * n),
      await responseOf(work, world, ports.floor, work.different === 'all' ? 2 * n + 1 : 2 * n),
    ];
    try {
      deepStrictEqual(floor, service);
    } catch (error) {
      throw new Error(`Floor and service differ in their responses to "${work.name}"`, { cause: error });
    }
    if (service.status !== work.status) throw new Error(`"${work.name}" has the status ${service.status}: ${JSON.stringify(service.body)}`);
  }
}

async function responseOf(work: Work, world: World, port: number, n: number): Promise<{ status: number; body: unknown }> {
  const request = work.request(world, n);
  const { headers, content } = headersAndBody(request);
  const response = await fetch(`http://127.0.0.1:${port}${request.path}`, {
    method: request.method,
    headers,
    ...(content.length > 0 ? { body: new Uint8Array(content) } : {}),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.headers.get('content-type')?.includes('json')) return { status: response.status, body: bytes };
  return { status: response.status, body: JSON.parse(request.method === 'GET' ? bytes.toString() : withoutIds(bytes.toString())) };
}

/** Replaces what differs between two records: ids, times, and what the requests themselves number. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"(name|federalTaxId)":"[^"]*"/g, '"$1":"<numbered>"');

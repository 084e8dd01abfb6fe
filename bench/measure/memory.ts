import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Options } from '../options.ts';
import type { Environment } from '../servers/environment.ts';
import { asUsualAdmin } from '../work/callers.ts';
import { headersAndBody } from '../work/encode.ts';
import { formAround, pdf } from '../work/form.ts';
import type { World } from '../work/world.ts';

const mebibyte = 1024 * 1024;
const settleMs = 3_000;
const uploadsAtOnce = 10;

/** Resident memory of the service in bytes. */
export interface Memory {
  idle: number;
  /** The largest value during one upload, and during ten at once. */
  oneUpload: number;
  tenUploads: number;
  /** Size of each uploaded file. */
  uploadBytes: number;
}

/** Measures a service that has just started: its memory while it is idle, and the largest during uploads. */
export async function measureMemory(environment: Environment, options: Options): Promise<Memory> {
  const mebibytes = options.quick ? 128 : 256;
  const world = await environment.worldOf('small');
  const server = await environment.startAnother('service', 'small', { settings: { ATTACHMENT_MAX_BYTES: String(1024 * mebibyte) } });
  try {
    await pause(settleMs);
    const idle = memoryOf(server.pid, 'VmRSS');
    const peakOf = async (uploads: number) => {
      // Sets the peak to the current value.
      writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
      await Promise.all(Array.from({ length: uploads }, () => upload(server.port, world, mebibytes)));
      await environment.removeUploads('small');
      return memoryOf(server.pid, 'VmHWM');
    };
    return { idle, oneUpload: await peakOf(1), tenUploads: await peakOf(uploadsAtOnce), uploadBytes: mebibytes * mebibyte };
  } finally {
    await server.stop();
  }
}

/** A field of /proc/PID/status, in bytes. */
export function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

/** Uploads a file part by part, so that it does not fill the memory of this process. */
function upload(port: number, world: World, mebibytes: number): Promise<void> {
  const { type, head, tail } = formAround({ description: 'Estatuto social' });
  const part = pdf(1);
  const { headers } = headersAndBody({ ...asUsualAdmin(world, 0), method: 'POST', path: '', body: { type, bytes: Buffer.alloc(0) } });
  const length = head.length + mebibytes * part.length + tail.length;
  return new Promise((resolve, reject) => {
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/attachments',
      headers: { ...headers, 'content-length': length },
    });
    sending.once('error', reject);
    sending.once('response', (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`The upload has the status ${response.statusCode}`)),
      );
    });
    sending.write(head);
    let sent = 0;
    const sendParts = () => {
      while (sent < mebibytes) {
        sent += 1;
        if (!sending.write(part)) return void sending.once('drain', sendParts);
      }
      sending.end(tail);
    };
    sendParts();
  });
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import type { Actor, ApiResponse } from './api.ts';
import type { Attachment } from './records.ts';
import type { StoredFiles } from '../../../../test/storage/stored-files.ts';
import type { World } from './world.ts';

/** The first bytes of a file of each content type. */
export const beginnings = {
  'image/jpg': Buffer.from('ffd8ffe0', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffdb', 'hex'),
  'image/png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'image/webp': Buffer.from('RIFF\x08\x00\x00\x00WEBPVP8 ', 'latin1'),
  'application/pdf': Buffer.from('%PDF-1.7\n'),
};
export type FileType = keyof typeof beginnings;

/** The first bytes of the type, followed by random bytes. @param bytes the size */
export function content(type: FileType = 'application/pdf', bytes = 1000): Buffer<ArrayBuffer> {
  return Buffer.concat([beginnings[type], randomBytes(bytes)]).subarray(0, bytes);
}

export const pdf = (name = 'estatuto.pdf', bytes = 1000): File =>
  new File([content('application/pdf', bytes)], name, { type: 'application/pdf' });

/** A form with these parts, in this order. */
export function form(...parts: [name: string, value: string | File][]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
}

/** An upload as this actor: fields first, then the file. */
export const upload = (world: World, actor: Actor, fields: Record<string, string> = {}, file = pdf()): Promise<ApiResponse<Attachment>> =>
  world.call<Attachment>(actor, 'POST /api/attachments', form(...Object.entries(fields), ['file', file]));

const organizationColumns = 'name,federalTaxId,address.zipCode,address.street,address.number,address.cityCode,address.stateCode';

/** A file of organizations, without rows. */
export const organizationsFile = (bytes = 0): File =>
  new File([`${organizationColumns}\r\n`, '\r\n'.repeat(bytes / 2)], 'organizations.csv', { type: 'text/csv' });

/** A file that the endpoint of uploads with this path accepts. */
export const fileFor = (path: string): File => (path === '/api/imports' ? organizationsFile() : pdf());

/** Uploads a file for an import of organizations. */
export const uploadImport = (world: World, actor: Actor): Promise<ApiResponse<{ id: string }>> =>
  world.call(actor, 'POST /api/imports', form(['type', 'organizations'], ['file', organizationsFile()]));

/** The bytes of a multipart form. @param parts header lines and content of each part */
export function rawForm(boundary: string, ...parts: [head: string, content: string | Buffer][]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(([head, value]) => [`--${boundary}\r\n${head}\r\n\r\n`, value, '\r\n']);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** The storage of the world, read and changed without the service. */
export const lookInto = ({ storedFiles }: World): StoredFiles => storedFiles;

const boundary = 'slow-boundary';

/** Polls for up to 20 seconds until the value matches. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

/** Begins an upload that the test sends in steps. @param url the address of the service */
export function beginUpload(url: string, { token = '' }: Actor, file: Buffer) {
  const body = rawForm(boundary, ['content-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', file]);
  const request = httpRequest(`${url}/api/attachments`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': body.length,
    },
  });
  const answer = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
    const { code } = JSON.parse((await response!.toArray()).join('')) as { code?: string };
    return { status: response!.statusCode, code };
  });
  let sent = 0;
  return {
    /** Resolves with status and code. Rejects if the connection closes. */
    answer,
    /** Sends the next bytes. */
    send: (bytes: number) => request.write(body.subarray(sent, (sent += bytes))),
    sendRest: () => request.end(body.subarray(sent)),
    /** Disconnects. */
    leave() {
      answer.catch(() => undefined);
      request.destroy();
    },
  };
}

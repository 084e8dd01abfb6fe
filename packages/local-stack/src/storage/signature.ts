import { timingSafeEqual } from 'node:crypto';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { StorageError } from './errors.ts';
import { header, type StorageRequest } from './request.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

const shape =
  /^AWS4-HMAC-SHA256 +Credential=(?<accessKeyId>[^/,]+)\/(?<day>\d{8})\/(?<region>[^/,]+)\/s3\/aws4_request, *SignedHeaders=(?<signed>[^,]+), *Signature=(?<signature>[0-9a-f]{64})$/;
const largestSkew = 15 * 60_000;

/**
 * Checks the request's AWS Signature Version 4 (Authorization header) by signing it again with the secret that is known here.
 * The body is covered by x-amz-content-sha256, which is compared when the body is read.
 * @throws StorageError of status 403 (or 400 for a header that cannot be read)
 */
export async function verifySignature(request: StorageRequest, credentials: Credentials, region: string): Promise<void> {
  const authorization = header(request, 'authorization');
  if (!authorization) throw new StorageError('AccessDenied', 'The request is not signed.');
  const { accessKeyId, day, signed = '', signature = '', ...scope } = shape.exec(authorization)?.groups ?? {};
  if (!signature) throw new StorageError('AuthorizationHeaderMalformed', 'The Authorization header is no AWS4-HMAC-SHA256 signature.');
  if (accessKeyId !== credentials.accessKeyId) throw new StorageError('InvalidAccessKeyId', 'The access key is not known here.');
  if (scope['region'] !== region) throw new StorageError('AuthorizationHeaderMalformed', `The region has to be ${region}.`);

  const date = signingDate(request);
  const names = new Set(signed.split(';'));
  const uncovered = Object.keys(request.headers).filter((name) => (name === 'host' || name.startsWith('x-amz-')) && !names.has(name));
  if (uncovered.length > 0) throw new StorageError('AccessDenied', `Headers that are not signed: ${uncovered.join(', ')}.`);
  const expected = await sign(request, names, date, credentials, region);
  if (
    !date
      .toISOString()
      .replaceAll('-', '')
      .startsWith(day ?? '') ||
    !same(expected, signature)
  ) {
    throw new StorageError('SignatureDoesNotMatch', 'The signature does not fit the request: check the secret key.');
  }
}

function signingDate(request: StorageRequest): Date {
  const stamp = header(request, 'x-amz-date') ?? '';
  const date = new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Number.isNaN(date.getTime())) throw new StorageError('AccessDenied', 'The request has no valid x-amz-date.');
  if (Math.abs(Date.now() - date.getTime()) > largestSkew) {
    throw new StorageError('RequestTimeTooSkewed', 'The difference between the time of the request and the time here is too large.');
  }
  return date;
}

async function sign(request: StorageRequest, names: Set<string>, date: Date, credentials: Credentials, region: string) {
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false, applyChecksum: false });
  const headers = Object.fromEntries([...names].map((name) => [name, header(request, name) ?? '']));
  const { method, path, query } = request;
  const signed = await signer.sign(
    { method, path, query, headers, protocol: 'http:', hostname: '' },
    { signingDate: date, signableHeaders: names },
  );
  return signed.headers['authorization']?.split('Signature=')[1] ?? '';
}

const same = (one: string, other: string): boolean => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

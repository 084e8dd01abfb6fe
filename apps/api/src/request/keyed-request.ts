import { createHash, type Hash } from 'node:crypto';
import { activeTenantId, type Caller } from '@profile-service/auth';
import type { KeyedRequest } from '@profile-service/db';
import { stringify } from 'safe-stable-stringify';
import type { StagedFile } from './files.ts';
import type { Input } from './input.ts';
import { actorOf } from './write-origin.ts';

/** What identifies a call with an idempotency key. */
export interface KeyedCall {
  operation: string;
  caller: Caller;
  input: Input;
  key: string;
  claimId: string | null;
  /** Of the file of an upload. */
  fileHash?: Hash | undefined;
}

/**
 * Returns the idempotency key of a call with a fingerprint of what the call asks for: the operation, the active tenant and the validated input. Of an upload, it
 * has the fields, and the name, the type and the SHA-256 of the file.
 */
export function keyedRequestOf({ operation, caller, input, key, claimId, fileHash }: KeyedCall): KeyedRequest {
  const file = input['file'] as StagedFile | undefined;
  const upload = file && { filename: file.filename, contentType: file.contentType, sha256: fileHash?.copy().digest('hex') };
  const text = stringify([operation, activeTenantId(caller), { ...input, ...(upload && { file: upload }) }]);
  return { actor: actorOf(caller), key, fingerprint: createHash('sha256').update(text).digest(), claimId };
}

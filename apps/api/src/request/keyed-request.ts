import { createHash } from 'node:crypto';
import { activeTenantId } from '@profile-service/auth';
import type { KeyedRequest } from '@profile-service/db';
import { stringify } from 'safe-stable-stringify';
import type { RequestContext } from './context.ts';
import { actorOf } from './write-origin.ts';

/**
 * Returns the idempotency key of a call with a fingerprint of what the call asks for: the operation, the active tenant and the validated input. Of an upload, it
 * has the fields, and the name, the type and the SHA-256 of the file.
 */
export function keyedRequestOf(context: RequestContext, key: string, claimId: string | null): KeyedRequest {
  const { operation, caller, input, rawInput, fileHash } = context;
  const { file } = rawInput;
  const upload = file && { filename: file.filename, contentType: file.contentType, sha256: fileHash?.copy().digest('hex') };
  const text = stringify([operation, activeTenantId(caller), { ...input, ...(upload && { file: upload }) }]);
  return { actor: actorOf(caller), key, fingerprint: createHash('sha256').update(text).digest(), claimId };
}

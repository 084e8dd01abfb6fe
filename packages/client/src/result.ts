import type { ClientErrorCode, ProfileError } from './error.ts';
import { toProfileError } from './error-from.ts';

/** The result of a call by `.safe`. `error.code` is one of the codes that the endpoint declares, or a code of the client. */
export type Result<Data, Code extends string> =
  { ok: true; data: Data; error?: undefined } | { ok: false; data?: undefined; error: ProfileError<Code | ClientErrorCode> };

/** Converts a call to its result. Never rejects. */
export function toResult<Data, Code extends string>(call: Promise<Data>): Promise<Result<Data, Code>> {
  return call.then(
    (data) => ({ ok: true, data }),
    (error: unknown) => ({ ok: false, error: toProfileError(error) as ProfileError<Code | ClientErrorCode> }),
  );
}

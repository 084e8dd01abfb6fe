import { ProblemError } from '@profile-service/contracts';

/** The problem of a request that is malformed in one place. @param path of the field; empty for the whole request */
export const invalid = (path: string, message: string, cause?: unknown): ProblemError =>
  new ProblemError('VALIDATION_FAILED', { errors: [{ path, message }], cause });

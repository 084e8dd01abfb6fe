import { ProblemError } from '@profile-service/contracts';

/** Creates a VALIDATION_FAILED problem with one field error. @param path of the field; empty for the whole request */
export const validationFailed = (path: string, message: string, cause?: unknown): ProblemError =>
  new ProblemError('VALIDATION_FAILED', { errors: [{ path, message }], cause });

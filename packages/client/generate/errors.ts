import { errors } from '@profile-service/contracts';
import { docComment } from './comment.ts';

/** Writes the union of the error codes from the catalogue. */
export function writeErrors(): string {
  const members = Object.entries(errors).map(([code, { status, when }]) => `${docComment(`${status}: ${when}`, 2)}| '${code}'\n`);
  return `${docComment('The error codes of the service, as of this version of the client.')}export type ErrorCode =\n${members.join('')};\n`;
}

import { authenticationErrors } from './authentication.ts';
import { authorizationErrors } from './authorization.ts';
import { concurrencyErrors } from './concurrency.ts';
import type { ErrorDeclarations } from './declaration.ts';
import { fileErrors } from './files.ts';
import { inputErrors } from './input.ts';
import { limitErrors } from './limits.ts';
import { conflictErrors, notFoundErrors } from './records.ts';
import { serviceErrors } from './service.ts';

/** The codes of one area, with what their caller should know about all of them. */
interface ErrorGroup {
  /** Fragment of the group on the errors page. */
  id: string;
  title: string;
  advice: string;
  errors: ErrorDeclarations;
}

/** The areas of the error catalogue, in the order of the errors page. */
export const errorGroups = [
  {
    id: 'input',
    title: 'Input',
    advice: 'The request itself is wrong. Correct it before you send it again.',
    errors: inputErrors,
  },
  {
    id: 'authentication',
    title: 'Authentication',
    advice: 'The service does not know who calls. Renew the token, or ask for an account.',
    errors: authenticationErrors,
  },
  {
    id: 'authorization',
    title: 'Authorization and tenant',
    advice: 'The caller is known, but may not do this, or not in this tenant. A retry does not help.',
    errors: authorizationErrors,
  },
  {
    id: 'not-found',
    title: 'Not found',
    advice: 'The record does not exist, or the caller may not see it. The response is the same in both cases, so that ids reveal nothing.',
    errors: notFoundErrors,
  },
  {
    id: 'conflicts',
    title: 'Conflicts',
    advice: 'The request contradicts other records. Use the existing record, or change the request.',
    errors: conflictErrors,
  },
  {
    id: 'concurrency',
    title: 'Concurrency and idempotency',
    advice: 'Another request came first. Nothing was changed by this one.',
    errors: concurrencyErrors,
  },
  {
    id: 'files',
    title: 'Files',
    advice: 'Uploads and downloads of attachments.',
    errors: fileErrors,
  },
  {
    id: 'limits',
    title: 'Limits',
    advice: 'The request is too large, or there are too many. Send less, or later.',
    errors: limitErrors,
  },
  {
    id: 'service',
    title: 'Service and dependencies',
    advice: 'The request may be right. Repeat it after a pause, unless the code says otherwise.',
    errors: serviceErrors,
  },
] as const satisfies readonly ErrorGroup[];

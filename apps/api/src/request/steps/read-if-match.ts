import { acceptsIfMatch } from '@profile-service/contracts';
import { type EntityTags, parseEntityTags } from '../entity-tags.ts';
import type { RawInput } from '../input.ts';
import { defineStep } from '../step.ts';
import { validationFailed } from '../validation-failed.ts';

/**
 * Returns the versions of the record in If-Match, or `ifMatch` over tRPC; undefined if the call is not conditional. Throws VALIDATION_FAILED if it is malformed,
 * or if the endpoint accepts none: ignoring it could lose an update.
 */
export const readIfMatch = defineStep('read-if-match', ({ endpoint }, { ifMatch }: RawInput): EntityTags | undefined => {
  if (ifMatch === undefined) return undefined;
  if (!acceptsIfMatch(endpoint)) throw validationFailed('If-Match', 'This operation is never conditional. Send the request without it');
  const tags = typeof ifMatch === 'string' ? parseEntityTags(ifMatch) : undefined;
  if (!tags) throw validationFailed('If-Match', 'Must be an ETag with its quotes, a list of such ETags, or *');
  return tags;
});

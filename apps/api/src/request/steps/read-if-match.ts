import { acceptsIfMatch, type Endpoint } from '@profile-service/contracts';
import { validationFailed } from '../validation-failed.ts';
import { parseEntityTags } from '../entity-tags.ts';
import { defineStep, type Step } from '../run.ts';

/** Parses If-Match, or `ifMatch` over tRPC. Throws VALIDATION_FAILED if it is malformed, or if the endpoint accepts none: ignoring it could lose an update. */
export function readIfMatch(endpoint: Endpoint): Step {
  const accepts = acceptsIfMatch(endpoint);
  return defineStep('read-if-match', (context) => {
    const { ifMatch } = context.rawInput;
    if (ifMatch === undefined) return;
    if (!accepts) throw validationFailed('If-Match', 'This operation is never conditional. Send the request without it');
    context.ifMatch = typeof ifMatch === 'string' ? parseEntityTags(ifMatch) : undefined;
    if (!context.ifMatch) throw validationFailed('If-Match', 'Must be an ETag with its quotes, a list of such ETags, or *');
  });
}

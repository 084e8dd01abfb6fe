import { acceptsIfNoneMatch, type Endpoint } from '@profile-service/contracts';
import type { RequestContext } from '../context.ts';
import { entityTagOf, includesTag, parseEntityTags } from '../entity-tags.ts';
import { defineStep, type Step } from '../run.ts';

/**
 * Sets the header `etag` to the version of the record that the handler returned. If the client has this version, ends the call with 304. A malformed
 * If-None-Match is ignored. Downloads handle both headers when they send the file.
 */
export function setEntityTag(endpoint: Endpoint): Step {
  const setTag = (context: RequestContext): string => {
    const etag = entityTagOf((context.output as { version: number }).version);
    context.setHeader('etag', etag);
    return etag;
  };
  if (!acceptsIfNoneMatch(endpoint)) return defineStep('set-entity-tag', (context) => void setTag(context));
  return defineStep('set-entity-tag', (context) => {
    const etag = setTag(context);
    const { ifNoneMatch } = context.rawInput;
    if (ifNoneMatch === undefined) return;
    const tags = parseEntityTags(ifNoneMatch);
    if (tags && includesTag(tags, etag)) context.status = 304;
  });
}

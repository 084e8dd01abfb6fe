import type { Media, NamedEndpoint } from '@profile-service/contracts';
import { z } from 'zod';

/**
 * Derives the operationId, from which client generators name a method. It is the dotted name as a phrase:
 * `users.create` → `createUser`, `service.organizations.link` → `linkServiceOrganization`, `webhooks.rotateSecret` → `rotateWebhookSecret`. An operation that transfers a file is named after that.
 * If the last part of the name of a GET is the last word of the path instead of a verb, the path names the result: `memberships.users` at
 * `/api/tenants/{tenantId}/users` → `listTenantUsers`, `me.permissions` → `getMyPermissions`.
 */
export function operationIdOf({ name, endpoint }: NamedEndpoint): string {
  const [key = '', module = '', group = ''] = name.split('.').toReversed();
  const [last, owner = ''] = endpoint.path.split('/').filter(isWord).toReversed();
  if (key === last && endpoint.method === 'GET' && endpoint.media === 'json') {
    const verb = endpoint.output instanceof z.ZodObject && 'data' in endpoint.output.shape ? 'list' : 'get';
    return verb + pascal(owner === 'me' ? 'my' : singular(owner)) + pascal(key);
  }
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(key) ?? [];
  return (
    (verbs[endpoint.media] ?? (verb === 'remove' ? 'delete' : verb)) +
    pascal(group) +
    pascal(['list', 'export', 'stream'].includes(verb) ? module : singular(module)) +
    rest
  );
}

/** Verbs of operations that transfer a file. */
const verbs: Partial<Record<Media, string>> = { upload: 'upload', download: 'download' };

const isWord = (segment: string): boolean => !segment.startsWith('{');
const pascal = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function singular(plural: string): string {
  if (plural.endsWith('sses')) return plural.slice(0, -2);
  return plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.replace(/s$/, '');
}

import { responseHeaders } from '@profile-service/contracts';
import type { SecuritySchemeObject } from 'openapi3-ts/oas31';
import { generalHeaders } from './responses.ts';

export const title = 'Profile service';

export const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

export const description = `Master records of a multi-tenant platform: users and their memberships, customers, apps, tenants, organizations,
their files, and reference data. The same operations are tRPC procedures under \`/trpc\`, except uploads and downloads.

## Authentication

Every operation needs the header \`Authorization: Bearer <token>\` with a JWT of the identity provider:

- Operations under \`/api\` take the token of a user (\`userToken\`).
- Operations under \`/service\` take the token of an application (\`serviceToken\`): client credentials flow, with a client that is linked to a tenant.

If the token is missing, invalid or expired, the response is 401.

## Active tenant

A user works in one tenant at a time. The header \`X-Tenant-Id\` names this active tenant. Two kinds of users may leave it out: users with
exactly one tenant, and Global users, who then work across all tenants. The tenant of an application follows from its token.

Records outside the active tenant are not found (404) and appear in no list. A request that names an organization outside it is
rejected (403).

## Errors

Every error response is a problem document (RFC 9457, \`application/problem+json\`):

- \`code\` is stable and meant for programs. \`detail\` is meant for people. \`type\` is the URL of the documentation of the code.
- \`errors\` lists the invalid fields of a VALIDATION_FAILED.
- \`instance\` is the request id. Every response has it in the header \`X-Request-Id\` too. State it when you report a problem.

A 429 or 503 states in \`Retry-After\` how many seconds to wait.

## Headers

These headers are in all responses, or in all of a kind. The responses below do not list them:

${generalHeaders.map((name) => `- \`${name}\`: ${responseHeaders[name].description}`).join('\n')}

## Lists

Paginated lists take \`page\` (from 1) and \`limit\` (1 to 100, default 20) and return \`{ data, total, totalPages, currentPage }\`.
With \`cursor=*\`, and then \`nextCursor\` as \`cursor\`, they return \`{ data, nextCursor }\`: no record that stays unchanged is skipped or repeated.
\`sort=name,-createdAt\` sorts, \`ids\` selects by id, and further parameters filter. Their order is total: pages neither repeat nor skip records. A page past the end is empty. An empty filter counts as absent.

## HEAD

Every GET that only reads also answers HEAD: the same status and headers without the body. A GET that writes answers HEAD with 405.

## Updates

PUT changes only the fields of the request, except that of an organization scope, which replaces it. \`null\` clears a nullable field. Fields that
cannot be changed are ignored.

## Versioning

New operations, response fields, optional request fields and error codes may be added at any time. Clients must ignore what they do not
know. Breaking changes come with a new major version, before 1.0.0 with a new minor version.`;

export const securitySchemes: Record<'userToken' | 'serviceToken', SecuritySchemeObject> = {
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of a user from the identity provider.',
  },
  serviceToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of an application from the identity provider (client credentials flow).',
  },
};

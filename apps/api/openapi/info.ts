import type { SecuritySchemeObject } from 'openapi3-ts/oas31';

export const title = 'Profile service';

export const description = `Master records of a multi-tenant platform: users and their memberships, customers, apps, tenants, and what belongs to them.
The same operations are served as tRPC procedures under \`/trpc\`, uploads and downloads excepted.

## Authentication

Every operation takes \`Authorization: Bearer <token>\` with a JWT of the identity provider. Operations under \`/api\` take a
user's token (\`userToken\`), those under \`/service\` an application's own token of the client credentials flow
(\`serviceToken\`), whose client is linked to a tenant. A missing, invalid or expired token is answered with 401.

## Active tenant

A user works in one tenant at a time, and the header \`X-Tenant-Id\` names it. It may be left out by a user with exactly one
tenant and by Global users, who then work across all tenants. An application's tenant follows from its token. A record outside
the active tenant is not found (404) and stands in no list; to name an organization outside it is refused (403).

## Errors

Every error is a problem document (RFC 9457, \`application/problem+json\`). Its \`code\` is stable and meant for programs, its
\`detail\` for people; \`type\` is the address of a text about the code. VALIDATION_FAILED lists the fields at fault in
\`errors\`. \`instance\` is the request id, which also every answer's \`X-Request-Id\` header carries: name it when you report a
fault. A 503 says in \`Retry-After\` how many seconds to wait.

## Lists

Paginated lists take \`page\` (from 1) and \`limit\` (1 to 100) and answer \`{ data, total, totalPages, currentPage }\`. Their
order is total, so pages neither repeat nor skip; a page past the end is empty. An empty filter counts as absent.

## Changes

A PUT changes the fields that it sends: a field left out stays as it is, \`null\` empties one that can be empty, and fields that
cannot be changed are ignored.

## Versioning

Operations, fields of answers, optional inputs and error codes may be added at any time: a client ignores what it does not
know. What would break a client comes with a new major version.`;

export const securitySchemes: Record<'userToken' | 'serviceToken', SecuritySchemeObject> = {
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A person's access token from the identity provider.",
  },
  serviceToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An application's own access token from the identity provider (client credentials flow).",
  },
};

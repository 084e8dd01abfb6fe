import type { ErrorDeclarations } from './declaration.ts';

/** The caller is not authenticated. */
export const authenticationErrors = {
  UNAUTHORIZED: {
    status: 401,
    title: 'Unauthorized',
    when: 'The bearer token is missing, invalid or expired.',
    cause:
      'The token has expired: an access token is usually valid for minutes. Or it is an ID token, comes from another realm, or lacks the audience of the service.',
    action:
      'Send `Authorization: Bearer <access token>`. Refresh the token and repeat the request once, then log in again. `detail` names a claim that is missing or not accepted.',
  },
  USER_NOT_PROVISIONED: {
    status: 403,
    title: 'User not provisioned',
    when: 'The token is valid, but no user of this service has its `sub`.',
    cause:
      'The person can log in but has no user here, or the user was deleted. An application that calls `/api` with its own token has no user either.',
    action: 'Ask an administrator to create the user with the e-mail address of the login. With an application token, call `/service`.',
  },
  CLIENT_NOT_LINKED: {
    status: 403,
    title: 'Client not linked',
    when: "The token is not an application's own, or its client (`azp`) is not linked to an active tenant.",
    cause: "A user's token was sent to `/service`, no tenant has the client as `identityClientId`, or that tenant is not active.",
    action: 'Get the token with the grant `client_credentials`. A Global user sets `identityClientId` of the tenant to your client id.',
  },
} as const satisfies ErrorDeclarations;

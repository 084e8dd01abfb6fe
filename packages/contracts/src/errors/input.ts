import type { ErrorDeclarations } from './declaration.ts';

/** Requests that are wrong in themselves: address, format, or values that do not fit together. */
export const inputErrors = {
  VALIDATION_FAILED: {
    status: 400,
    title: 'Validation failed',
    when: 'The request is malformed or a field is invalid. `errors` lists each invalid field.',
    cause:
      'A required field is absent, a value has another type or format, or the body is not valid JSON. Headers such as `If-Match` and `Idempotency-Key` are checked too.',
    action: 'Read `errors`: `path` names the field, `message` says what is wrong. Correct the request. The same request fails again.',
  },
  INVALID_STATE: {
    status: 400,
    title: 'Invalid state',
    when: 'No state has the `stateCode` of the request.',
    cause: 'The value is not an IBGE state code, such as 35 for São Paulo. In a new installation, the states may not be loaded.',
    action: 'Take `stateCode` from `GET /api/states`. If that list is empty, the operator loads it with `node dist/geography.js`.',
  },
  INVALID_CITY: {
    status: 400,
    title: 'Invalid city',
    when: 'No city has the `cityCode` of the request.',
    cause: 'The value is not an IBGE city code of seven digits, such as 3550308 for São Paulo. SIAFI codes are other numbers.',
    action: 'Take `ibgeCode` from `GET /api/cities?stateCode=…`, and send it as `cityCode`.',
  },
  CITY_STATE_MISMATCH: {
    status: 400,
    title: 'City and state do not match',
    when: 'The city with this `cityCode` is not in the state with this `stateCode`.',
    cause: 'A form kept the city after the user had chosen another state, or a PUT changed only one of the two fields.',
    action: 'Send both fields, with a city from `GET /api/cities?stateCode=…`.',
  },
  ORGANIZATION_NOT_LINKED_TO_TENANT: {
    status: 400,
    title: 'Organization not linked to tenant',
    when: 'At least one of the `organizationIds` is not linked to the tenant.',
    cause: 'The id belongs to an organization of another tenant, or the organization was unlinked or deleted since the client listed it.',
    action: 'Choose ids from `GET /api/organizations` with this tenant as active tenant, or link the organization to the tenant first.',
  },
  ORGANIZATION_ADDRESS_NOT_CURRENT: {
    status: 400,
    title: 'Address is not current',
    when: 'The address is closed (`validTo` is set). Only the current address of an organization can be changed.',
    cause: 'The client sent an address of the history, or a newer address has replaced it since the client read it.',
    action: 'Read the addresses of the organization and change the one whose `validTo` is null. To record a move, create a new address.',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    status: 400,
    title: 'Webhook URL not allowed',
    when: 'The service may not send requests to this `url`. `detail` says why.',
    cause:
      'The URL does not begin with `https://`, or has credentials or a port that is not allowed. Or its host name does not resolve to public addresses only.',
    action: 'Use an `https` URL that the public internet can reach. An operator allows other hosts with `WEBHOOK_ALLOWED_HOSTS`.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    title: 'Route not found',
    when: 'No route has this path, or no procedure has this name.',
    cause: 'The path has a typing error, or lacks its prefix `/api`, `/service` or `/trpc`. A proxy may have added or removed a part.',
    action: 'Compare the path with the API reference. Paths are case-sensitive.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    when: 'The route does not support this method. The header `Allow` lists the methods that it supports.',
    cause: 'A partial update was sent as PATCH, or a tRPC query as POST.',
    action: 'Use a method of `Allow`. PUT changes only the fields that you send. tRPC queries are GET, and mutations are POST.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The route does not support the `Content-Type` of the request body.',
    cause: 'The header is absent or wrong: `curl -d` sends a form by default. Compressed bodies are rejected too.',
    action: 'Send `Content-Type: application/json`, and `multipart/form-data` for uploads. Do not compress the body.',
  },
} as const satisfies ErrorDeclarations;

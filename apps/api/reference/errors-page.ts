import { errorGroups, type ErrorCode, errors } from '@profile-service/contracts';

const head = `# Errors

Every error response is a problem document (RFC 9457, \`application/problem+json\`):

\`\`\`json
{
  "type": "https://profile.example.com/errors#ORGANIZATION_NOT_FOUND",
  "title": "Organization not found",
  "status": 404,
  "code": "ORGANIZATION_NOT_FOUND",
  "detail": "No organization that is visible to the caller has this id or tax id.",
  "instance": "01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f"
}
\`\`\`

- Programs decide by \`code\`. Codes do not change, but new ones may come: keep a default branch.
- \`detail\` is for people. \`errors\` of \`VALIDATION_FAILED\` lists each invalid field. \`instance\` is the request id: quote it when you report a problem.
- Over tRPC, the same document is \`data.problem\` of the error.
- After 429 and 503, wait as long as \`Retry-After\` says, and repeat the request ([retries](retries.md)). Other requests with a 4xx fail again.

The page \`/errors\` of the service has the cause, an action and the operations of each code. \`pnpm generate reference\` generates this page from \`packages/contracts/src/errors\`. Do not edit it.
`;

/** Makes docs/use/errors.md: the error catalogue without causes and actions. */
export const errorsPage = (): string => [head, ...errorGroups.map(section)].join('\n');

function section({ title, advice, errors: group }: (typeof errorGroups)[number]): string {
  const rows = Object.keys(group).map((code) => {
    const { status, when, ...rest } = errors[code as ErrorCode];
    return `| \`${code}\` | ${status} | ${'reserved' in rest ? 'Reserved: never sent.' : when} |`;
  });
  return `## ${title}\n\n${advice}\n\n${['| Code | Status | Meaning |', '| --- | --- | --- |', ...rows].join('\n')}\n`;
}

import { type ErrorCode, errors } from '@profile-service/contracts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}dt{font-weight:600;margin-top:1rem}code{font-size:1.05em}';

/** Pages of the repository that explain what a client does about an error. */
export const pagesOfErrors: Partial<Record<ErrorCode, string>> = {
  IDEMPOTENCY_KEY_IN_PROGRESS: 'docs/retries.md',
  IDEMPOTENCY_KEY_REUSED: 'docs/retries.md',
  NOT_ALLOWED: 'docs/audit-log.md',
  PRECONDITION_FAILED: 'docs/concurrent-edits.md',
};

/** Renders the error catalogue as an HTML page. The `type` of a problem document links to it. */
export function errorsPage(): string {
  const entries = Object.entries(errors).map(
    ([code, { status, title, when }]) =>
      `<dt id="${code}"><code>${code}</code> · ${status} · ${title}</dt><dd>${toHtml(when + pageOf(code))}</dd>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors – profile service</title><style>${style}</style>
<h1>Errors</h1><p>Every error response is a problem document (RFC 9457). Its <code>code</code> is one of these:</p><dl>${entries.join('\n')}</dl></html>`;
}

const pageOf = (code: string) => {
  const page = pagesOfErrors[code as ErrorCode];
  return page ? ` See \`${page}\` in the repository.` : '';
};

/** Escapes a text and converts its backticks to code elements. */
const toHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`(.*?)`/g, '<code>$1</code>');

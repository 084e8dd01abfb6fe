import { errors } from '@profile-service/contracts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}dt{font-weight:600;margin-top:1rem}code{font-size:1.05em}';

/** The catalogue as a page: what a problem document's `type` points at. */
export function errorsPage(): string {
  const entries = Object.entries(errors).map(
    ([code, { status, title, when }]) => `<dt id="${code}"><code>${code}</code> · ${status} · ${title}</dt><dd>${html(when)}</dd>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors – profile service</title><style>${style}</style>
<h1>Errors</h1><p>Every error is an RFC 9457 problem document; <code>code</code> is one of these.</p><dl>${entries.join('\n')}</dl></html>`;
}

/** The catalogue's texts mark what is code with backticks. */
const html = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`(.*?)`/g, '<code>$1</code>');

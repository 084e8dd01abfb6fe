import {
  acceptsIdempotencyKey,
  acceptsIfMatch,
  type Endpoint,
  endpoints,
  type ErrorCode,
  errorGroups,
  errors,
  errorsOf,
} from '@profile-service/contracts';
import { errorsScript } from './errors-script.ts';
import { escapeHtml, toHtml } from './html.ts';
import type { HtmlPage } from './layout.ts';
import { tagOf } from './openapi-document.ts';

/** Pages of the repository that explain what a client does about an error. */
export const pagesOfErrors: Partial<Record<ErrorCode, string>> = {
  IDEMPOTENCY_KEY_IN_PROGRESS: 'docs/use/retries.md',
  IDEMPOTENCY_KEY_REUSED: 'docs/use/retries.md',
  NOT_ALLOWED: 'docs/use/audit-log.md',
  PRECONDITION_FAILED: 'docs/use/concurrent-edits.md',
};

const codes = Object.keys(errors) as ErrorCode[];

/** Renders the error catalogue. The `type` of a problem document links to it. @param base address of the service's folder, relative to the page */
export function errorsPage(base: string): HtmlPage {
  const chips = errorGroups.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`);
  const spelled = codes.filter((code) => /[a-z]/.test(code)).map((code) => `<a href="#${code}"><code>${code}</code></a>`);
  const main = `<h1>Error codes</h1>
<p class="lead">Every error response is a problem document (RFC 9457, <code>application/problem+json</code>). Programs decide by its <code>code</code>: codes do not change, but new ones may come. <code>detail</code> is for people.</p>
<ul class="chips" aria-label="Areas">${chips.join('')}</ul>
<div class="find" role="search" hidden><label for="find">Filter</label><input id="find" type="search" autocomplete="off" spellcheck="false" aria-describedby="keys"><output for="find"></output><span id="keys" class="soft"><kbd>/</kbd> focus <kbd>Enter</kbd> first match <kbd>Esc</kbd> clear</span></div>
${errorGroups.map((group) => section(group, base)).join('\n')}
<h2 id="spelling">Spelling</h2>
<p>Codes are upper case with underscores. ${spelled.length} codes about files are not: ${spelled.join(', ')}. Their names come from the specification of this API, and existing clients compare them. New codes never have this form.</p>`;
  return { title: 'Error codes – Profile service', main, script: errorsScript };
}

function section({ id, title, advice, errors: group }: (typeof errorGroups)[number], base: string): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="soft">${toHtml(advice)}</p>
${Object.keys(group)
  .map((code) => article(code as ErrorCode, base))
  .join('\n')}</section>`;
}

function article(code: ErrorCode, base: string): string {
  const { status, title, when, cause, action, ...rest } = errors[code];
  const page = pagesOfErrors[code];
  const rows = {
    Meaning: toHtml(when),
    Cause: toHtml(cause),
    'What to do': toHtml(action) + (page ? ` See <code>${page}</code> in the repository.` : ''),
  };
  const list = Object.entries(rows).map(([name, text]) => `<dt>${name}</dt><dd class="text">${text}</dd>`);
  const reserved = 'reserved' in rest ? '<span class="tag">never sent</span>' : '';
  return `<article class="code card" id="${code}"><h3 class="text"><a href="#${code}"><code>${code}</code></a><span class="status s${String(status)[0]}">${status}</span>${reserved}<span class="name">${escapeHtml(title)}</span></h3>
<dl>${list.join('')}${operationsOf(code, base)}</dl></article>`;
}

/** Sets of endpoints that the page names instead of listing them. */
const sets: [name: string, contains: (endpoint: Endpoint) => boolean][] = [
  ['No operation: the request reached none.', () => false],
  ['Every operation.', () => true],
  ['Every operation under <code>/api</code>.', ({ access }) => access.kind !== 'service'],
  ['Every operation under <code>/api</code>, except <code>/api/me</code>.', ({ access }) => access.kind === 'user'],
  ['Every operation under <code>/service</code>.', ({ access }) => access.kind === 'service'],
  ['Every operation with a request body.', ({ body }) => body !== null],
  ['Every POST.', acceptsIdempotencyKey],
  ['Every operation that accepts <code>If-Match</code>.', acceptsIfMatch],
];

/** Names the operations that declare the code, with links into the API reference. */
function operationsOf(code: ErrorCode, base: string): string {
  if ('reserved' in errors[code]) return '';
  const declaring = endpoints.map(({ endpoint }) => endpoint).filter((endpoint) => errorsOf(endpoint).includes(code));
  const [named] = sets.find(([, contains]) => endpoints.every(({ endpoint }) => contains(endpoint) === declaring.includes(endpoint))) ?? [];
  return `<dt>Sent by</dt><dd>${named ?? listOf(declaring.map((endpoint) => operationLink(endpoint, base)))}</dd>`;
}

/** Shows up to three operations, and more of them on request. */
function listOf(items: string[]): string {
  const list = `<ul>${items.join('')}</ul>`;
  return items.length > 3 ? `<details><summary>${items.length} operations</summary>${list}</details>` : list;
}

function operationLink({ method, path, summary }: Endpoint, base: string): string {
  const anchor = `tag/${tagOf(method, path).toLowerCase().replaceAll(' ', '-')}/${method}${path}`;
  return `<li><a href="${base}docs#${escapeHtml(anchor)}" title="${method} ${escapeHtml(path)}">${escapeHtml(summary)}</a></li>`;
}

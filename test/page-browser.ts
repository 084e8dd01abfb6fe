/** The page after all redirects within the provider. */
export interface Page {
  /** A URL outside the provider is not requested. */
  url: string;
  status: number;
  text: string;
}

/** A browser without scripts. It supports cookies by path, redirects, and the only form of a page. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #origin: string;
  /** The values of all Set-Cookie headers, oldest first. */
  readonly cookieLines: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  async open(url: string, init: RequestInit = {}): Promise<Page> {
    const { pathname } = new URL(url);
    const cookie = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path)).map(([name, { value }]) => `${name}=${value}`);
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { cookie: cookie.join('; ') } });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const text = await response.text();
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status, text };
    const next = new URL(location, url).href;
    return next.startsWith(this.#origin) ? this.open(next) : { url: next, status: response.status, text: '' };
  }

  /** Opens the link of a mail. Keycloak shows the actions first, with a link to the form. */
  async openMail(link: string): Promise<Page> {
    const page = await this.open(link);
    const proceed = linkOn(page, 'Click here to proceed');
    return proceed === undefined ? page : this.open(proceed);
  }

  /** Opens the link of a mail that only verifies the e-mail. The provider of the local stack asks for a confirmation by a form, Keycloak by a link. */
  async confirmMail(link: string): Promise<Page> {
    const page = await this.openMail(link);
    return page.text.includes('<form') ? this.submit(page, {}) : page;
  }

  /** Fills in the page's form and submits it. */
  submit(page: Page, fields: Record<string, string>): Promise<Page> {
    const form = /<form[^>]*>/.exec(page.text)?.[0];
    const action = attribute(form ?? '', 'action');
    if (action === undefined) throw new Error(`No form on ${page.url}: ${page.text}`);
    const inputs = [...page.text.matchAll(/<(?:input|button)[^>]*>/g)].map(([input]) => input);
    const hidden = inputs.filter((input) => attribute(input, 'type') === 'hidden');
    const body = new URLSearchParams();
    for (const input of hidden) body.set(attribute(input, 'name') ?? '', attribute(input, 'value') ?? '');
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.open(new URL(action, page.url).href, { method: 'POST', body });
  }

  #keep(line: string): void {
    this.cookieLines.push(line);
    const [pair = '', ...attributes] = line.split(';');
    const path = attributes.find((text) => /^\s*path=/i.test(text))?.split('=')[1] ?? '/';
    const at = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), path });
  }
}

/** Returns the address of the link with this text; undefined if the page has none. */
export function linkOn({ text }: Page, label: string): string | undefined {
  const links = [...text.matchAll(/<a ([^>]*)>([^<]*)<\/a>/g)];
  const [, attributes = ''] = links.find(([, , content = '']) => content.includes(label)) ?? [];
  return attribute(attributes, 'href');
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll(/&(?:amp|#38);/g, '&').replaceAll(/&(?:quot|#34);/g, '"');
}

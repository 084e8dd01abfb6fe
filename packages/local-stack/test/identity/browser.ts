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

  /** Fills in the page's form and submits it. */
  submit(page: Page, fields: Record<string, string>): Promise<Page> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&#38;', '&');
    if (action === undefined) throw new Error(`No form on ${page.url}: ${page.text}`);
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
    return this.open(new URL(action, page.url).href, { method: 'POST', body });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const path = attributes.find((attribute) => /^\s*path=/i.test(attribute))?.split('=')[1] ?? '/';
    const at = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), path });
  }
}

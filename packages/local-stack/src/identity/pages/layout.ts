import { html, Markup } from './markup.ts';
import { style } from './style.ts';

/** Returns an HTML page of the identity provider. A wide page has room for a list. */
export function layout(title: string, content: Markup, { wide = false } = {}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${new Markup(`<style>${style}</style>`)}
      </head>
      <body class="${wide ? 'wide' : ''}">
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
        <footer>Local identity provider for development and demos. It has the paths and responses of Keycloak.</footer>
      </body>
    </html> `.text;
}

/** Returns an error message that screen readers announce. */
export function alert(message: string | undefined): Markup | undefined {
  return message === undefined ? undefined : html`<p class="alert" role="alert">${message}</p>`;
}

import type { HtmlPage } from './layout.ts';

/** The page at `/` of an installation: it shows only what is public at other addresses. `npm start` has its own. */
export const landingPage: HtmlPage = {
  title: 'Profile service',
  main: `<h1>Profile service</h1>
<p class="lead">Master records of a multi-tenant platform: users, customers, apps, tenants, organizations and files.</p>
<ul class="cards">
<li class="card"><a href="./docs">API reference</a><p>Every operation, with examples and a client.</p></li>
<li class="card"><a href="./openapi.json">OpenAPI document</a><p>For client generators, version 3.1.</p></li>
<li class="card"><a href="./errors">Error codes</a><p>What each code means, and what to do about it.</p></li>
</ul>`,
};

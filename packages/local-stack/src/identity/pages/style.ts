/** The style of all pages. The Content-Security-Policy allows it by its hash. */
export const style = `
  :root {
    color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
    --ground: #f3f5f8; --card: #fff; --text: #1b2430; --quiet: #55606e; --line: #d4dae2; --accent: #0b5cad; --accent-text: #fff; --hover: #eaf2fb;
    --alert: #a32a17; --alert-ground: #fdecea;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #12161c; --card: #1b2129; --text: #e8edf3; --quiet: #a6b1bf; --line: #3a4452; --accent: #7cb7f5; --accent-text: #0a1d31; --hover: #243142;
      --alert: #ffb4a6; --alert-ground: #3d1d18;
    }
  }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 2.5rem 1rem; background: var(--ground); color: var(--text); }
  main, footer { margin: 0 auto; max-width: 27rem; }
  .wide main, .wide footer { max-width: 46rem; }
  main { padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.8rem; overflow-wrap: anywhere; }
  footer { padding: 1rem 2rem 0; color: var(--quiet); font-size: 0.85rem; text-align: center; }
  h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 1.25rem; }
  form > label:first-child { margin-top: 0; }
  h2 { font-size: 1.05rem; line-height: 1.3; margin: 0; }
  a { color: var(--accent); }
  label { display: block; margin: 0.9rem 0 0.25rem; font-weight: 600; }
  input { width: 100%; padding: 0.55rem 0.7rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 0.45rem; }
  button { width: 100%; padding: 0.65rem; font: inherit; font-weight: 600; color: var(--accent-text); background: var(--accent); border: 1px solid var(--accent); border-radius: 0.45rem; cursor: pointer; }
  form > button, form + button { margin-top: 1.4rem; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  .alert { padding: 0.6rem 0.8rem; color: var(--alert); background: var(--alert-ground); border-left: 4px solid; border-radius: 0.25rem; }
  .quiet { color: var(--quiet); font-size: 0.9rem; margin: 0.15rem 0; }
  .mail { padding: 1rem 0; border-top: 1px solid var(--line); }
  .people ul { list-style: none; margin: 1rem 0 0; padding: 0; display: grid; gap: 0.5rem; }
  .people button { margin: 0; padding: 0.55rem 0.8rem; text-align: left; font-weight: 400; color: inherit; background: none; border-color: var(--line); }
  .people button:hover { background: var(--hover); border-color: var(--accent); }
  .people span { display: block; line-height: 1.35; }
  .people .name { font-weight: 600; }
  @media (min-width: 46rem) {
    .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 2.5rem; }
    .people { border-left: 1px solid var(--line); padding-left: 2.5rem; }
  }
  @media (max-width: 46rem) {
    main { padding: 1.25rem; }
    .people { border-top: 1px solid var(--line); margin-top: 1.75rem; padding-top: 1.25rem; }
  }
`;

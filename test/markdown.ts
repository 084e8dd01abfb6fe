export interface CodeBlock {
  language: string;
  text: string;
}

/** Returns the fenced code blocks of a Markdown page, in order. */
export const codeBlocksOf = (page: string): CodeBlock[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A numbered rule of the specification. */
export interface Rule {
  /** Prefix and number: `USERS-3`. */
  id: string;
  /** File name of its page, without extension. */
  page: string;
}

/** A page of docs/specification. */
export interface SpecificationPage {
  name: string;
  title: string;
  rules: Rule[];
  /** Rows of the tables of endpoints, with single spaces between the cells. */
  endpointRows: string[];
}

/** Reads every page of the specification, in alphabetical order. */
export function readSpecification(folder: string): SpecificationPage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => parsePage(file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8')));
}

/** Parses one page: a rule is a list item that begins with its id in bold. */
export function parsePage(name: string, text: string): SpecificationPage {
  const rules = [...text.matchAll(/^- \*\*([A-Z]+-\d+)\*\*:/gm)].map(([, id = '']) => ({ id, page: name }));
  const endpointRows = [...text.matchAll(/^\| +`(?:GET|POST|PUT|DELETE) \/(?:api|service)\/.*$/gm)].map(([row]) =>
    row.replaceAll(/ +/g, ' '),
  );
  return { name, title: /^# (.*)$/m.exec(text)?.[1] ?? name, rules, endpointRows };
}

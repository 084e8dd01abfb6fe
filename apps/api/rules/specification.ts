import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A page of docs/specification. */
export interface SpecificationPage {
  name: string;
  title: string;
  /** The ids of its rules, such as `USERS-3`. */
  rules: string[];
  endpoints: EndpointRow[];
  modules: ModuleRow[];
}

/** A row of a table of endpoints. A dash is an empty text. */
export interface EndpointRow {
  /** Method and path: `GET /api/users/{id}`. */
  endpoint: string;
  procedure: string;
  action: string;
  /** With the prefix `resource:`. */
  resource: string;
  /** What differs from the permission check of other endpoints; empty in a table without this column. */
  access: string;
  success: string;
}

/** A row of the persona matrix. */
export interface ModuleRow {
  module: string;
  isReserved: boolean;
  /** The letters of the actions by persona, such as `CRU`. */
  actions: Record<string, string>;
}

const folder = fileURLToPath(new URL('../../../docs/specification/', import.meta.url));

/** Reads every page of the specification, in alphabetical order. */
export const readSpecification = (): SpecificationPage[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => parsePage(file.replace(/\.md$/, ''), readFileSync(folder + file, 'utf8')));

/** Parses one page. A rule is a list item that begins with its id in bold. */
export function parsePage(name: string, text: string): SpecificationPage {
  const rows = [...text.matchAll(/(?:^\|.*\n?)+/gm)].flatMap(([table]) => rowsOf(table));
  return {
    name,
    title: /^# (.*)$/m.exec(text)?.[1] ?? name,
    rules: [...text.matchAll(/^- \*\*([A-Z]+-\d+)\*\*:/gm)].map(([, id = '']) => id),
    endpoints: rows.flatMap(({ Endpoint: endpoint = '', Procedure: procedure, Action: action, Resource: resource, ...row }) =>
      procedure === undefined
        ? []
        : [
            {
              endpoint,
              procedure,
              action: action ?? '',
              resource: resource ?? '',
              access: row['Access'] ?? '',
              success: row['Success'] ?? '',
            },
          ],
    ),
    modules: rows.flatMap(({ Module: modules, Reserved: reserved, ...actions }) =>
      (modules?.split(', ') ?? []).map((module) => ({ module, isReserved: reserved === 'yes', actions })),
    ),
  };
}

/** The rows of a table as records of its columns, without backticks and dashes. */
function rowsOf(table: string): Record<string, string>[] {
  const [columns = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '').replace(/^–$/, '')),
    );
  return rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
}

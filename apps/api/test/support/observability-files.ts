import { globSync } from 'node:fs';
import { parse } from 'yaml';
import { read, readJson, root } from './project-files.ts';

/** The contents of the YAML files. */
const contentsOf = <Content>(pattern: string): Content[] =>
  globSync(`deploy/observability/${pattern}`, { cwd: root }).map((file) => parse(read(file)) as Content);

/** The sections of `docs/run/runbooks.md`, by the name of their alert. */
export const runbooks = read('docs/run/runbooks.md')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ name: section.slice(0, section.indexOf('\n')), text: section }));

/** The labels of each metric in the table of docs/run/operation.md. */
export const documentedMetrics: Record<string, string[]> = Object.fromEntries(
  [...read('docs/run/operation.md').matchAll(/^\| `(profile_\w+)` +\| ([\w, ]*?) *\|/gm)].map(([, name, labels = '']) => [
    name,
    labels.split(', ').filter(Boolean),
  ]),
);

interface Rule {
  expr: string;
  record?: string;
  alert?: string;
  labels?: { severity: string };
  annotations?: { summary: string; description: string; runbook_url: string };
}

type Alert = Required<Pick<Rule, 'expr' | 'alert' | 'labels' | 'annotations'>>;

/** All rules of `deploy/observability/rules`. */
export const rules = contentsOf<{ groups: { rules: Rule[] }[] }>('rules/*.yaml').flatMap(({ groups }) =>
  groups.flatMap((group) => group.rules),
);

export const alerts = rules.filter((rule): rule is Alert => rule.alert !== undefined);

/** The alerts whose rendered text a test of promtool states, in `deploy/observability/tests`. */
export const alertsWithTestedText = contentsOf<{ tests: { alert_rule_test?: { alertname: string }[] }[] }>('tests/*.yaml')
  .flatMap(({ tests }) => tests)
  .flatMap(({ alert_rule_test: tested = [] }) => tested.map(({ alertname }) => alertname));

interface Panel {
  title: string;
  type: string;
  datasource?: { uid: string };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}

/** The panels of the Grafana dashboard, without its rows. */
export const panels = readJson<{ panels: Panel[] }>('deploy/observability/dashboard.json').panels.filter(
  (panel): panel is Required<Panel> => panel.type !== 'row',
);

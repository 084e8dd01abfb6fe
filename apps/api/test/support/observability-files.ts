import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = join(root, 'deploy/observability');

/** The sections of `docs/run/runbooks.md`, by the name of their alert. */
export const runbooks = readFileSync(join(root, 'docs/run/runbooks.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ name: section.slice(0, section.indexOf('\n')), text: section }));

/** The labels of each metric in the table of docs/run/operation.md. */
export const documentedMetrics: Record<string, string[]> = Object.fromEntries(
  [...readFileSync(join(root, 'docs/run/operation.md'), 'utf8').matchAll(/^\| `(profile_\w+)` +\| ([\w, ]*?) *\|/gm)].map(
    ([, name, labels = '']) => [name, labels.split(', ').filter(Boolean)],
  ),
);

interface Rule {
  expr: string;
  record?: string;
  alert?: string;
  labels?: { severity: string };
  annotations?: { summary: string; description: string; runbook_url: string };
}

export type Alert = Required<Pick<Rule, 'expr' | 'alert' | 'labels' | 'annotations'>>;

/** All rules of `deploy/observability/rules`. */
export const rules: Rule[] = globSync('rules/*.yaml', { cwd: folder }).flatMap((file) => {
  const { groups } = parse(readFileSync(join(folder, file), 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
});

export const alerts = rules.filter((rule): rule is Alert => rule.alert !== undefined);

/** The alerts whose rendered text a test of promtool states, in `deploy/observability/tests`. */
export const alertsWithTestedText: string[] = globSync('tests/*.yaml', { cwd: folder }).flatMap((file) => {
  const { tests } = parse(readFileSync(join(folder, file), 'utf8')) as { tests: { alert_rule_test?: { alertname: string }[] }[] };
  return tests.flatMap(({ alert_rule_test: tested = [] }) => tested.map(({ alertname }) => alertname));
});

interface Panel {
  title: string;
  type: string;
  datasource?: { uid: string };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}

/** The panels of the Grafana dashboard, without its rows. */
export const panels: Required<Panel>[] = (
  JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as { panels: Panel[] }
).panels.filter((panel): panel is Required<Panel> => panel.type !== 'row');

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alerts, alertsWithTestedText, runbooks } from '../support/observability-files.ts';

test('every alert has a runbook, and every runbook its alert', () => {
  expect(runbooks.map(({ name }) => name).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test('docs/run/operation.md lists every alert with its severity', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../../docs/run/operation.md', import.meta.url)), 'utf8');
  const rows = [...page.matchAll(/^\| \[(\w+)\]\(runbooks\.md#\w+\) +\| (\w+)/gm)].map(([, alert, severity]) => `${alert} ${severity}`);
  expect(rows.toSorted()).toEqual(alerts.map(({ alert, labels }) => `${alert} ${labels.severity}`).toSorted());
});

test.each(alerts.map((alert) => [alert.alert, alert]))(
  '%s has a severity, a summary, a description and the address of its runbook',
  (name, { labels, annotations }) => {
    expect(labels.severity).toMatch(/^(critical|warning)$/);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/^[A-Z].*[^.]$/),
      description: expect.stringMatching(/\.$/),
      runbook_url: `https://runbooks.example.com#${name.toLowerCase()}`,
    });
  },
);

test('promtool renders the text of every alert that contains a label or a value', () => {
  const withFields = alerts.filter(({ annotations }) => annotations.description.includes('{{')).map(({ alert }) => alert);
  expect(alertsWithTestedText.toSorted()).toEqual(expect.arrayContaining(withFields.toSorted()));
});

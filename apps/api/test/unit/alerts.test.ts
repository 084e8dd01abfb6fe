import { expect, test } from 'vitest';
import { alerts, alertsWithTestedText, runbooks } from '../support/observability-files.ts';

test('every alert has a runbook, and every runbook its alert', () => {
  expect(runbooks.map(({ name }) => name).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test.each(alerts)('the runbook of $alert begins with its severity', ({ alert, labels: { severity } }) => {
  expect(runbooks.find(({ name }) => name === alert)?.text).toMatch(new RegExp(String.raw`^\w+\n\n\*\*${severity}\.\*\* `, 'i'));
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

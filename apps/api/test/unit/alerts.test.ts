import { expect, test } from 'vitest';
import { alerts, alertsWithTestedText, runbooks } from '../support/observability-files.ts';

test('every alert has a runbook, and every runbook its alert', () => {
  expect(runbooks.map(({ name }) => name).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test.each(alerts)('$alert has a summary, a description, and a runbook that begins with its severity', ({ alert, labels, annotations }) => {
  expect(labels.severity).toMatch(/^(critical|warning)$/);
  expect(annotations).toEqual({
    summary: expect.stringMatching(/^[A-Z].*[^.]$/),
    description: expect.stringMatching(/\.$/),
    runbook_url: `https://runbooks.example.com#${alert.toLowerCase()}`,
  });
  const runbook = runbooks.find(({ name }) => name === alert)?.text;
  expect(runbook).toMatch(new RegExp(String.raw`^\w+\n\n\*\*${labels.severity}\.\*\* `, 'i'));
});

test('promtool renders the text of every alert that contains a label or a value', () => {
  const withFields = alerts.filter(({ annotations }) => annotations.description.includes('{{')).map(({ alert }) => alert);
  expect(alertsWithTestedText).toEqual(expect.arrayContaining(withFields));
});

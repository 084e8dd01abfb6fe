import { expect, test } from 'vitest';
import { alerts, runbooks } from '../support/observability-files.ts';

test('every alert has a runbook page, and every page its alert', () => {
  expect(runbooks.map(({ name }) => name).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test.each(alerts.map((alert) => [alert.alert, alert]))(
  '%s has a severity, a summary, a description and the address of its page',
  (name, { labels, annotations }) => {
    expect(labels.severity).toMatch(/^(critical|warning)$/);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/^[A-Z].*[^.]$/),
      description: expect.stringMatching(/\.$/),
      runbook_url: `https://runbooks.example.com/${name}.md`,
    });
  },
);

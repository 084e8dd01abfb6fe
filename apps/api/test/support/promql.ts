import { parser } from '@prometheus-io/lezer-promql';

/** A metric that an expression reads, with the labels that its matchers name and by which the expression groups it. */
export interface ReadMetric {
  name: string;
  labels: string[];
}

/** The metrics that a PromQL expression reads. Variables of Grafana, such as `[$__rate_interval]`, are replaced. @throws if it is no PromQL */
export function metricsOf(expression: string): ReadMetric[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const metrics: ReadMetric[] = [];
  /** End of each surrounding aggregation, and its labels. */
  const groups: { to: number; labels: string[] }[] = [];
  parser.parse(text).iterate({
    enter({ name, from, to, node }) {
      const textOf = (each: { from: number; to: number }) => text.slice(each.from, each.to);
      if (node.type.isError) throw new Error(`No PromQL: ${text} at ${from}`);
      while (groups.length > 0 && groups.at(-1)!.to <= from) groups.pop();
      if (name === 'AggregateExpr') {
        const labels = node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
        groups.push({ to, labels: labels.map(textOf) });
      }
      if (name === 'VectorSelector') {
        const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
        const matched = matchers.map((matcher) => textOf(matcher.getChild('LabelName')!));
        metrics.push({ name: textOf(node.getChild('Identifier')!), labels: [...matched, ...groups.flatMap(({ labels }) => labels)] });
      }
    },
  });
  return metrics;
}

/** The values with which an expression compares a label, with the alternatives of regular expressions. */
export const valuesOf = (expression: string, label: string): string[] =>
  [...expression.matchAll(new RegExp(`\\b${label}(?:=~|!~|!=|=)"([^"]*)"`, 'g'))].flatMap(([, values = '']) => values.split('|'));

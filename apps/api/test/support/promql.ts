import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A condition of a selector, such as `status=~"5.."`. */
export type Matcher = Record<'label' | 'operator' | 'value', string>;

/** A metric that an expression reads. */
interface Metric {
  name: string;
  matchers: Matcher[];
}

/**
 * Parses an expression. Returns its metrics, one for each selector, and the labels by which it groups and matches series.
 * Variables of Grafana, such as `[$__rate_interval]`, are replaced. @throws if it is no PromQL
 */
export function parseExpression(expression: string): { metrics: Metric[]; grouped: string[] } {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const textOf = (node: Node | null) => (node ? text.slice(node.from, node.to) : '');
  const metrics: Metric[] = [];
  const grouped: string[] = [];
  parser
    .parse(text)
    .topNode.cursor()
    .iterate(({ type, name, from, node }) => {
      if (type.isError) throw new Error(`No PromQL: ${text} at ${from}`);
      if (name === 'GroupingLabels') grouped.push(...node.getChildren('LabelName').map(textOf));
      if (name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      metrics.push({
        name: textOf(node.getChild('Identifier')),
        matchers: matchers.map((matcher) => ({
          label: textOf(matcher.getChild('LabelName')),
          operator: textOf(matcher.getChild('MatchOp')),
          value: textOf(matcher.getChild('StringLiteral')).slice(1, -1),
        })),
      });
    });
  return { metrics, grouped };
}

/** The metrics that an expression reads. */
export const metricsOf = (expression: string): Metric[] => parseExpression(expression).metrics;

/** The values with which an expression compares a label, with the alternatives of regular expressions. */
export const valuesOf = (expression: string, label: string): string[] =>
  metricsOf(expression)
    .flatMap(({ matchers }) => matchers)
    .filter((matcher) => matcher.label === label)
    .flatMap(({ value }) => value.split('|'));

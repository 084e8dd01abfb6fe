import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A condition of a selector, such as `status=~"5.."`. */
export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

/** A PromQL expression, as far as the tests read it. */
interface Expression {
  /** The metrics that it reads, one for each selector. */
  metrics: { name: string; matchers: Matcher[] }[];
  /** The labels by which it groups and matches series. */
  grouped: string[];
}

/** Parses an expression. Variables of Grafana, such as `[$__rate_interval]`, are replaced. @throws if it is no PromQL */
export function parseExpression(expression: string): Expression {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const textOf = (node: Node | null) => (node ? text.slice(node.from, node.to) : '');
  const metrics: Expression['metrics'] = [];
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
export const metricsOf = (expression: string): Expression['metrics'] => parseExpression(expression).metrics;

/** The values with which an expression compares a label, with the alternatives of regular expressions. */
export const valuesOf = (expression: string, label: string): string[] =>
  metricsOf(expression)
    .flatMap(({ matchers }) => matchers)
    .filter((matcher) => matcher.label === label)
    .flatMap(({ value }) => value.split('|'));

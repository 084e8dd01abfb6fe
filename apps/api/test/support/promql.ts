import { parser } from '@prometheus-io/lezer-promql';

/** A part of a parsed expression. */
export type Node = ReturnType<typeof parser.parse>['topNode'];

/** A PromQL expression, parsed. */
export interface Expression {
  root: Node;
  textOf(node: Pick<Node, 'from' | 'to'>): string;
}

/** A condition of a selector, such as `status=~"5.."`. */
export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

/** A metric that an expression reads. */
export interface ReadMetric {
  name: string;
  matchers: Matcher[];
}

/** Parses an expression. Variables of Grafana, such as `[$__rate_interval]`, are replaced. @throws if it is no PromQL */
export function parseExpression(expression: string): Expression {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const root = parser.parse(text).topNode;
  root.cursor().iterate(({ type, from }) => {
    if (type.isError) throw new Error(`No PromQL: ${text} at ${from}`);
  });
  return { root, textOf: ({ from, to }) => text.slice(from, to) };
}

/** Reads a selector. */
export function readSelector(node: Node, { textOf }: Expression): ReadMetric {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return {
    name: textOf(node.getChild('Identifier')!),
    matchers: matchers.map((matcher) => ({
      label: textOf(matcher.getChild('LabelName')!),
      operator: textOf(matcher.getChild('MatchOp')!),
      value: textOf(matcher.getChild('StringLiteral')!).slice(1, -1),
    })),
  };
}

/** The metrics that an expression reads, one for each selector. */
export function metricsOf(expression: string): ReadMetric[] {
  const parsed = parseExpression(expression);
  const metrics: ReadMetric[] = [];
  parsed.root.cursor().iterate(({ name, node }) => {
    if (name === 'VectorSelector') metrics.push(readSelector(node, parsed));
  });
  return metrics;
}

/** The values with which an expression compares a label, with the alternatives of regular expressions. */
export const valuesOf = (expression: string, label: string): string[] =>
  metricsOf(expression)
    .flatMap(({ matchers }) => matchers)
    .filter((matcher) => matcher.label === label)
    .flatMap(({ value }) => value.split('|'));

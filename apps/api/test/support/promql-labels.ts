import { type Expression, type Node, parseExpression, readSelector } from './promql.ts';

/** The labels of each metric; undefined for an unknown metric. */
export type LabelsOf = (metric: string) => readonly string[] | undefined;

/** What an expression returns. */
export interface Result {
  /** The labels of the returned series. Empty for a number. */
  labels: string[];
  /** Metrics that do not exist, labels that an operand does not have, and operands whose series never match. */
  problems: string[];
}

const setOperators = ['And', 'Unless', 'Or'];
/** Aggregations that return series of their operand. */
const selections = ['Topk', 'Bottomk'];

/** Computes the labels of the result of an expression, as Prometheus does. It knows the functions and operators that this project uses. */
export function resultOf(expression: string, labelsOf: LabelsOf): Result {
  const problems: string[] = [];
  const parsed = parseExpression(expression);
  const { textOf } = parsed;
  const labels = new Evaluation(parsed, labelsOf, problems).labelsOf(parsed.root.firstChild!);
  return { labels: labels ?? [], problems: problems.map((problem) => `${problem} in ${textOf(parsed.root)}`) };
}

class Evaluation {
  readonly #expression: Expression;
  readonly #stored: LabelsOf;
  readonly #problems: string[];

  constructor(expression: Expression, stored: LabelsOf, problems: string[]) {
    this.#expression = expression;
    this.#stored = stored;
    this.#problems = problems;
  }

  /** The labels of a part of the expression; undefined for a number or a text. */
  labelsOf(node: Node): string[] | undefined {
    switch (node.name) {
      case 'NumberDurationLiteral':
      case 'StringLiteral':
        return undefined;
      case 'VectorSelector':
        return this.#ofSelector(node);
      case 'AggregateExpr':
        return this.#ofAggregation(node);
      case 'BinaryExpr':
        return this.#ofOperator(node);
      case 'FunctionCall':
        return this.#ofFunction(node);
      case 'ParenExpr':
      case 'MatrixSelector':
        return this.labelsOf(node.firstChild!);
      default:
        throw new Error(`Not supported by this test: ${node.name}`);
    }
  }

  #ofSelector(node: Node): string[] {
    const { name, matchers } = readSelector(node, this.#expression);
    const labels = this.#stored(name);
    if (!labels) this.#problems.push(`the metric ${name}`);
    else
      this.#expectIn(
        labels,
        matchers.map(({ label }) => label),
        name,
      );
    return [...(labels ?? [])];
  }

  #ofAggregation(node: Node): string[] {
    const operand = this.#argumentsOf(node).at(-1)!;
    const modifier = node.getChild('AggregateModifier');
    const grouped = this.#listed(modifier?.getChild('GroupingLabels'));
    this.#expectIn(operand, grouped, this.#expression.textOf(node));
    if (selections.some((name) => node.getChild('AggregateOp')?.getChild(name))) return operand;
    return modifier?.getChild('Without') ? operand.filter((label) => !grouped.includes(label)) : grouped;
  }

  #ofFunction(node: Node): string[] | undefined {
    const name = this.#expression.textOf(node.getChild('FunctionIdentifier')!);
    if (name === 'vector') return [];
    const operand = this.#argumentsOf(node).at(-1)!;
    if (name === 'absent') {
      const selected = readSelector(node.getChild('FunctionCallBody')!.firstChild!, this.#expression);
      return selected.matchers.filter(({ operator }) => operator === '=').map(({ label }) => label);
    }
    if (name !== 'histogram_quantile') return operand;
    this.#expectIn(operand, ['le'], name);
    return operand.filter((label) => label !== 'le');
  }

  #ofOperator(node: Node): string[] | undefined {
    const [left, right] = [this.labelsOf(node.firstChild!), this.labelsOf(node.lastChild!)];
    if (!left || !right) return left ?? right;
    const operator = setOperators.find((name) => node.getChild(name));
    if (operator === 'Or') return left.filter((label) => right.includes(label));
    const clause = node.getChild('MatchingModifierClause');
    const [matched, included] = (clause?.getChildren('GroupingLabels') ?? []).map((list) => this.#listed(list));
    if (!clause?.getChild('On')) {
      if (clause) throw new Error('Not supported by this test: ignoring');
      const [own, other] = [left, right].map((labels) => labels.toSorted().join());
      if (own !== other) this.#problems.push(`series with {${own}} never match {${other}}`);
      return left;
    }
    for (const side of [left, right]) this.#expectIn(side, matched ?? [], 'on');
    if (operator) return left;
    if (!clause.getChild('GroupLeft')) return matched ?? [];
    this.#expectIn(right, included ?? [], 'group_left');
    return [...left, ...(included ?? [])];
  }

  #argumentsOf(node: Node): string[][] {
    const found: string[][] = [];
    for (let child = node.getChild('FunctionCallBody')!.firstChild; child; child = child.nextSibling) {
      const labels = this.labelsOf(child);
      if (labels) found.push(labels);
    }
    return found;
  }

  #listed(list: Node | null | undefined): string[] {
    return list?.getChildren('LabelName').map((label) => this.#expression.textOf(label)) ?? [];
  }

  #expectIn(labels: readonly string[], wanted: readonly string[], where: string): void {
    for (const label of wanted) if (!labels.includes(label)) this.#problems.push(`the label ${label} of ${where}`);
  }
}

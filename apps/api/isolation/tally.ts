/** What has been played so far. */
export class Tally {
  worlds = 0;
  steps = 0;
  /** Row → answer (a code, or success) → how often. */
  readonly answers = new Map<string, Map<string, number>>();

  count(endpoint: string, answer: string): void {
    const known = this.answers.get(endpoint) ?? new Map<string, number>();
    this.answers.set(endpoint, known.set(answer, (known.get(answer) ?? 0) + 1));
  }

  /** Answer → how often, the most frequent first. */
  byAnswer(): [string, number][] {
    const counts = new Map<string, number>();
    for (const answers of this.answers.values())
      for (const [answer, count] of answers) counts.set(answer, (counts.get(answer) ?? 0) + count);
    return [...counts].toSorted(([, one], [, other]) => other - one);
  }
}

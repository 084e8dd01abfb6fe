import type { WorkResult } from '../results.ts';
import { significant } from './table.ts';

const width = 860;
const labelWidth = 250;
const barsWidth = 420;
const [barHeight, barGap, groupGap, top] = [14, 2, 16, 48];

/** One pair of bars. */
export interface Bars {
  label: string;
  /** What the floor did, if it was another kind of request. */
  otherWork?: string | undefined;
  service: number;
  reference: number;
  ratio: number;
}

/** The pairs of bars of requests that are compared with the floor by CPU. Transfers of files would dwarf all others. */
export const barsOf = (works: readonly WorkResult[]): Bars[] =>
  works
    .filter(({ name, referenceSide }) => referenceSide.server === 'floor' && !/load of/.test(name))
    .map(({ name, subject, reference, referenceSide, cpuRatio }) => ({
      label: name,
      otherWork: referenceSide.work === name ? undefined : referenceSide.work,
      service: subject.serverCpu,
      reference: reference.serverCpu,
      ratio: cpuRatio,
    }));

/** A bar chart as SVG, readable on light and on dark backgrounds. */
export function chart(bars: readonly Bars[]): string {
  const groupHeight = 2 * barHeight + barGap + groupGap;
  const height = top + bars.length * groupHeight;
  const scale = barsWidth / Math.max(1, ...bars.map(({ service, reference }) => Math.max(service, reference)));
  const bar = (kind: 'service' | 'floor', y: number, value: number, text: string) =>
    `<rect class="${kind}" x="${labelWidth}" y="${y}" width="${(value * scale).toFixed(1)}" height="${barHeight}" rx="2"/>` +
    `<text class="value" x="${(labelWidth + value * scale + 6).toFixed(1)}" y="${y + barHeight - 3}">${text}</text>`;
  const groups = bars.map(({ label, otherWork, service, reference, ratio }, index) => {
    const y = top + index * groupHeight;
    return [
      `<text x="${labelWidth - 10}" y="${y + barHeight + 5}" text-anchor="end">${escaped(label)}</text>`,
      bar('service', y, service, `${significant(service)} µs, ${significant(ratio)} × floor`),
      bar(
        'floor',
        y + barHeight + barGap,
        reference,
        `${significant(reference)} µs${otherWork === undefined ? '' : `, ${escaped(otherWork)}`}`,
      ),
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Server CPU per request in microseconds">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.value { font-size: 12px; fill: #59636e }
.service { fill: #2f6feb }
.floor { fill: #a8b1bb }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .value { fill: #9198a1 }
  .service { fill: #4c8dff }
  .floor { fill: #6e7681 }
}
</style>
<text class="title" x="0" y="18">Server CPU per request</text>
<rect class="service" x="${labelWidth}" y="8" width="12" height="12" rx="2"/><text x="${labelWidth + 18}" y="18">service</text>
<rect class="floor" x="${labelWidth + 90}" y="8" width="12" height="12" rx="2"/><text x="${labelWidth + 108}" y="18">floor</text>
${groups.join('\n')}
</svg>
`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

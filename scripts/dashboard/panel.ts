import {
  LegendDisplayMode,
  LegendPlacement,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';

/** A panel of the dashboard. */
export interface Panel {
  title: string;
  /** What the panel shows, and what is unusual. */
  description: string;
  /** A unit of Grafana, such as `s` or `reqps`. */
  unit: string;
  /** PromQL expressions by legend. A legend can contain labels: `{{operation}}`. */
  queries: Record<string, string>;
}

export const datasource = { type: 'prometheus', uid: '$datasource' };

/** A selector of a metric of the chosen jobs and instances. @param matchers more label matchers, such as `status=~"5.."` */
export const of = (metric: string, ...matchers: string[]): string =>
  `${metric}{${['job=~"$job"', 'instance=~"$instance"', ...matchers].join(', ')}}`;

/** The rate per second of a counter. */
export const rate = (counter: string, ...matchers: string[]): string => `rate(${of(counter, ...matchers)}[$__rate_interval])`;

/** The rate per second of a counter, summed by labels. */
export const rateBy = (labels: string, counter: string, ...matchers: string[]): string =>
  `sum by (${labels}) (${rate(counter, ...matchers)})`;

/** A quantile of a histogram, by labels. @param quantile 0 to 1  @param histogram name without `_bucket` */
export const quantile = (q: number, histogram: string, labels = ''): string =>
  `histogram_quantile(${q}, ${rateBy(labels === '' ? 'le' : `le, ${labels}`, `${histogram}_bucket`)})`;

/** Builds the panel. It is 8 of 24 columns wide, so that a row has three. */
export function timeseries({ title, description, unit, queries }: Panel, id: number): PanelBuilder {
  const panel = new PanelBuilder()
    .id(id)
    .title(title)
    .description(description)
    .unit(unit)
    .min(0)
    .datasource(datasource)
    .legend(new VizLegendOptionsBuilder().showLegend(true).displayMode(LegendDisplayMode.List).placement(LegendPlacement.Bottom))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .span(8)
    .height(8);
  for (const [index, [legend, expr]] of Object.entries(queries).entries()) {
    panel.withTarget(
      new DataqueryBuilder()
        .refId(`query ${index + 1}`)
        .expr(expr)
        .legendFormat(legend)
        .range()
        .datasource(datasource),
    );
  }
  return panel;
}

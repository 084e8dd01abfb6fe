import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { datasource, timeseries } from './dashboard/panel.ts';
import { rows } from './dashboard/rows.ts';
import { writeOrCheck } from './generated-file.ts';

/** `pnpm generate dashboard` writes the Grafana dashboard. With `--check` it fails if the file is not current. */
writeOrCheck('deploy/observability/dashboard.json', `${JSON.stringify(build(), null, 2)}\n`, 'pnpm generate dashboard');

function build(): object {
  const builder = new DashboardBuilder('Profile service')
    .uid('profile-service')
    .description('Requests, processes, database, dependencies and jobs of the profile service')
    .tags(['profile-service'])
    .timezone('browser')
    .time({ from: 'now-6h', to: 'now' })
    .refresh('1m')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(variable('job', 'Job', 'label_values(profile_ready, job)'))
    .withVariable(variable('instance', 'Instance', 'label_values(profile_ready{job=~"$job"}, instance)'));
  let id = 0;
  for (const [title, panels] of Object.entries(rows)) {
    builder.withRow(new RowBuilder(title).id((id += 1)));
    for (const panel of panels) builder.withPanel(timeseries(panel, (id += 1)));
  }
  return builder.build();
}

/** A variable with the values of a label, of which several or all can be chosen. */
function variable(name: string, label: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .query(query)
    .datasource(datasource)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(true)
    .includeAll(true)
    .current({ text: 'All', value: '$__all' });
}

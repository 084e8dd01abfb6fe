import { of, type Panel, quantile, rate, rateBy } from './panel.ts';

const requests = 'profile_request_duration_seconds';
const dependencyRequests = 'profile_dependency_request_duration_seconds';
const jobs = 'profile_job_duration_seconds';

const percentile = (q: number): Panel => ({
  title: `Latency by operation, p${q * 100}`,
  description: `The ${q * 100}th percentile of the request duration of the ten slowest operations.`,
  unit: 's',
  queries: { '{{operation}}': `topk(10, ${quantile(q, requests, 'operation')})` },
});

/** The rows of the dashboard, by title. */
export const rows: Record<string, Panel[]> = {
  Overview: [
    {
      title: 'Instances',
      description: 'Instances that Prometheus scrapes, and those that are ready. The two are equal except during a deployment.',
      unit: 'short',
      queries: { scraped: `sum(${of('up')})`, ready: `sum(${of('profile_ready')})` },
    },
    {
      title: 'Health checks',
      description: '1 if the check succeeds on every instance, otherwise 0.',
      unit: 'short',
      queries: { '{{check}}': `min by (check) (${of('profile_health_check_up')})` },
    },
    {
      title: 'Share of 5xx responses',
      description: 'The objective is at most 0.1 %.',
      unit: 'percentunit',
      queries: { '5xx': `(sum(${rate(`${requests}_count`, 'status=~"5.."')}) or vector(0)) / sum(${rate(`${requests}_count`)})` },
    },
  ],
  Requests: [
    {
      title: 'Requests by operation',
      description: 'Requests per second of the ten most frequent operations.',
      unit: 'reqps',
      queries: { '{{operation}}': `topk(10, ${rateBy('operation', `${requests}_count`)})` },
    },
    {
      title: 'Responses by status',
      description:
        'Responses per second of requests that reach an operation. 499 stands for a client that disconnected. Unknown routes and requests over the limit of an address are not included.',
      unit: 'reqps',
      queries: { '{{status}}': rateBy('status', `${requests}_count`) },
    },
    {
      title: 'Requests over a limit',
      description: 'Requests per second that got 429, by limit.',
      unit: 'reqps',
      queries: { '{{limit}}': rateBy('limit', 'profile_rate_limited_total') },
    },
    {
      title: 'Requests rejected by overload',
      description: 'Requests per second that got 503 because too many requests wait for a database slot.',
      unit: 'reqps',
      queries: { '{{instance}}': rateBy('instance', 'profile_requests_shed_total') },
    },
    {
      title: 'Wait for a database slot, p99',
      description: 'The 99th percentile of the requests that had to wait. Requests that did not wait are not included.',
      unit: 's',
      queries: { '{{instance}}': quantile(0.99, 'profile_request_queue_wait_seconds', 'instance') },
    },
    {
      title: 'Requests that wait for a database slot',
      description: 'At most REQUEST_QUEUE_MAX per process.',
      unit: 'short',
      queries: { '{{instance}}': of('profile_request_queue_length') },
    },
    {
      title: 'Open event streams',
      description: 'At most EVENT_STREAMS_PER_TENANT per tenant and process.',
      unit: 'short',
      queries: { '{{instance}}': of('profile_event_streams') },
    },
    percentile(0.5),
    percentile(0.95),
    percentile(0.99),
  ],
  Processes: [
    {
      title: 'CPU',
      description: 'Cores that each instance uses. A process uses about one core.',
      unit: 'short',
      queries: { '{{instance}}': rateBy('instance', 'process_cpu_seconds_total') },
    },
    {
      title: 'Memory',
      description: 'Resident memory, and the used part of the JavaScript heap.',
      unit: 'bytes',
      queries: {
        '{{instance}} resident': of('process_resident_memory_bytes'),
        '{{instance}} heap': of('nodejs_heap_size_used_bytes'),
      },
    },
    {
      title: 'Event loop lag',
      description: 'How long a callback waits for the processor. More than 0.2 s slows every request.',
      unit: 's',
      queries: {
        '{{instance}} p99': of('nodejs_eventloop_lag_p99_seconds'),
        '{{instance}} mean': of('nodejs_eventloop_lag_mean_seconds'),
      },
    },
    {
      title: 'Garbage collection',
      description: 'Share of the time that each kind of garbage collection takes.',
      unit: 'percentunit',
      queries: { '{{instance}} {{kind}}': rateBy('instance, kind', 'nodejs_gc_duration_seconds_sum') },
    },
    {
      title: 'Restarts',
      description: 'Starts of each instance within an hour.',
      unit: 'short',
      queries: {
        '{{instance}} starts': `changes(${of('process_start_time_seconds')}[1h])`,
      },
    },
  ],
  'Database and caller cache': [
    {
      title: 'Connections of the pool',
      description: 'Database connections for requests. The limit is DATABASE_POOL_MAX per process.',
      unit: 'short',
      queries: { '{{instance}} {{state}}': of('profile_database_pool_connections') },
    },
    {
      title: 'Requests that wait for a connection',
      description: 'Usually 0. After 5 s a request fails.',
      unit: 'short',
      queries: { '{{instance}}': of('profile_database_pool_waiting_requests') },
    },
    {
      title: 'Hit rate of the caller cache',
      description: 'Share of caller lookups that the process or Redis answered, without the database.',
      unit: 'percentunit',
      queries: {
        'hit rate': `sum(${rate('profile_caller_cache_lookups_total', 'outcome!="miss"')}) / sum(${rate('profile_caller_cache_lookups_total')})`,
        'in the process': `sum(${rate('profile_caller_cache_lookups_total', 'outcome="local"')}) / sum(${rate('profile_caller_cache_lookups_total')})`,
      },
    },
    {
      title: 'Reads by server',
      description: 'GET requests per second that read the primary or the replica. Only with DATABASE_REPLICA_URL.',
      unit: 'reqps',
      queries: {
        '{{server}}': rateBy('server', 'profile_database_reads_total'),
        'repeated on the primary': `sum(${rate('profile_database_reads_repeated_total')})`,
      },
    },
    {
      title: 'Replica lag',
      description: 'Write-ahead log that the replica has not replayed. No value: it cannot be compared.',
      unit: 'bytes',
      queries: { '{{instance}}': of('profile_replica_lag_bytes') },
    },
  ],
  'Identity provider and storage': [
    {
      title: 'Requests by outcome',
      description: 'Requests per second to the identity provider and the storage. Each instance checks the storage 12 times per minute.',
      unit: 'reqps',
      queries: { '{{dependency}} {{outcome}}': rateBy('dependency, outcome', `${dependencyRequests}_count`) },
    },
    {
      title: 'Failed requests by operation',
      description: 'Requests per second that failed.',
      unit: 'reqps',
      queries: { '{{dependency}} {{operation}}': rateBy('dependency, operation', `${dependencyRequests}_count`, 'outcome="failed"') },
    },
    {
      title: 'Latency by operation, p95',
      description: 'The 95th percentile of the duration of requests to the identity provider and the storage.',
      unit: 's',
      queries: { '{{dependency}} {{operation}}': quantile(0.95, dependencyRequests, 'dependency, operation') },
    },
  ],
  Jobs: [
    {
      title: 'Runs within an hour',
      description: 'Runs of each job by outcome.',
      unit: 'short',
      queries: { '{{job_name}} {{outcome}}': `sum by (job_name, outcome) (increase(${of(`${jobs}_count`)}[1h]))` },
    },
    {
      title: 'Duration, p95',
      description: 'The 95th percentile of the duration of runs within 6 hours.',
      unit: 's',
      queries: {
        '{{job_name}}': `histogram_quantile(0.95, sum by (le, job_name) (increase(${of(`${jobs}_bucket`)}[6h])))`,
      },
    },
    {
      title: 'Waiting jobs',
      description: 'Jobs that are due now or later. All instances report the same number.',
      unit: 'short',
      queries: { '{{job_name}}': `max by (job_name) (${of('profile_jobs_waiting')})` },
    },
    {
      title: 'Overdue jobs',
      description: 'Time since the oldest waiting job became due.',
      unit: 's',
      queries: { '{{job_name}}': `max by (job_name) (${of('profile_job_overdue_seconds')})` },
    },
    {
      title: 'Storage clean-up',
      description: 'Objects removed within an hour, and attachments whose object is missing.',
      unit: 'short',
      queries: {
        removed: `sum(increase(${of('profile_storage_objects_removed_total')}[1h]))`,
        missing: `max(${of('profile_attachments_without_object')})`,
      },
    },
  ],
  Webhooks: [
    {
      title: 'Attempts',
      description:
        'Requests to webhooks per second, by outcome. `retried`: the request failed and will be repeated. `failed`: it will not.',
      unit: 'reqps',
      queries: { '{{outcome}}': rateBy('outcome', 'profile_webhook_attempts_total') },
    },
    {
      title: 'Oldest undelivered event',
      description:
        'Age of the event of the oldest pending delivery of an active webhook. One endpoint that fails is enough. An event that no process has read yet has no delivery.',
      unit: 's',
      queries: { age: `max(${of('profile_webhook_oldest_event_age_seconds')})` },
    },
    {
      title: 'Disabled and undecryptable webhooks',
      description:
        'disabled: by the service, because their URL answered 410 or failed for 5 days. undecryptable: WEBHOOK_ENCRYPTION_KEY cannot decrypt their secret.',
      unit: 'short',
      queries: {
        disabled: `max(${of('profile_webhooks_disabled')})`,
        undecryptable: `max(${of('profile_webhooks_undecryptable')})`,
      },
    },
  ],
};

/** How far the versions of records are raised. No database uses as many between a backup and a restore, and 9,000 restores fit into a JavaScript number. */
const versionGap = 1_000_000_000_000;

/**
 * SQL that ends, after a restore to an earlier time, what was given out after that time:
 * - Positions of events: it starts a new epoch. The row before it makes the function start one also in the same cluster.
 * - Versions of records: an ETag from after that time must not match another state of the record.
 * It must run before the service does: sessions keep the epoch.
 */
export const endEarlierTimeline = `
  insert into event_epochs (epoch, system_identifier, timeline) select coalesce(max(epoch), 0) + 1, 0, 'restored' from event_epochs;
  select current_event_epoch();
  select setval('record_versions', nextval('record_versions') + ${versionGap});`;

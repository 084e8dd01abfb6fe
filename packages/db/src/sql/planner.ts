/**
 * Plans each execution for its values, for statements that return or count many rows: one tenant has ten organizations, another 100,000. Otherwise PostgreSQL
 * decides after five executions whether one plan fits all.
 */
export const plannedEachTime = 'set local plan_cache_mode = force_custom_plan';

/**
 * Also excludes merge joins, for a page of organizations. PostgreSQL assumes that a tenant's organizations are spread evenly over all. For a tenant with 100,000
 * older organizations among 300,000, a merge join reads all newer organizations of other tenants before the first row (27 ms instead of 0.3 ms).
 */
export const withoutMergeJoin = `${plannedEachTime}; set local enable_mergejoin = off`;

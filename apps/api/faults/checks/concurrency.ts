/** How many requests a check sends at once. */
export const concurrency = 4;

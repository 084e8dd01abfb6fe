/** The entity tags of a condition, with their quotes and without `W/`. `*` stands for any version. */
export type EntityTags = '*' | readonly string[];

/** The entity tag of a version. */
export const entityTagOf = (version: number): string => `"${version}"`;

const tag = /^(?:W\/)?("[\u0021\u0023-\u007e\u0080-\u00ff]*")$/;

/**
 * Parses the value of If-Match or If-None-Match (RFC 9110, 8.8.3 and 13.1). Weak tags count as strong ones, because proxies that compress responses weaken
 * the tags of this service.
 * @returns undefined if the value is malformed
 */
export function parseEntityTags(value: string): EntityTags | undefined {
  if (value.trim() === '*') return '*';
  // A tag may contain a comma. Lists may have empty elements.
  const elements = (value.match(/(?:W\/)?"[^"]*"|[^,\s][^,]*/g) ?? []).map((element) => tag.exec(element.trim())?.[1]);
  return elements.length > 0 && elements.every((element) => element !== undefined) ? elements : undefined;
}

/** Whether one of the tags is that of the current version. */
export const includesTag = (tags: EntityTags, current: string): boolean => tags === '*' || tags.includes(current);

/** The entity tags of a condition, with their quotes and without `W/`. `*` stands for any version. */
export type EntityTags = '*' | readonly string[];

/** The entity tag of a version. */
export const entityTagOf = (version: number): string => `"${version}"`;

/** An element of a list with the commas and spaces around it. A tag may contain commas, and a list may have empty elements. */
const element = /[\t ,]*(?:W\/)?("[\u0021\u0023-\u007e\u0080-\u00ff]*")[\t ]*(?:,[\t ,]*|$)/y;

/**
 * Parses the value of If-Match or If-None-Match (RFC 9110, 8.8.3 and 13.1). Weak tags count as strong ones, because proxies that compress responses weaken
 * the tags of this service.
 * @returns undefined if the value is malformed
 */
export function parseEntityTags(value: string): EntityTags | undefined {
  if (value.trim() === '*') return '*';
  const tags: string[] = [];
  element.lastIndex = 0;
  while (element.lastIndex < value.length) {
    const tag = element.exec(value)?.[1];
    if (tag === undefined) return undefined;
    tags.push(tag);
  }
  return tags.length > 0 ? tags : undefined;
}

/** Whether one of the tags is that of the current version. */
export const includesTag = (tags: EntityTags, current: string): boolean => tags === '*' || tags.includes(current);

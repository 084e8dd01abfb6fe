import type { User } from './user.ts';

const searched = ['username', 'email', 'firstName', 'lastName'] as const;

/**
 * Whether a person meets the query of Keycloak's user list: email, username, firstName, lastName (contained, or with exact=true equal,
 * both without case), search (terms that each begin one of these), enabled and emailVerified. An empty filter counts as absent.
 */
export function meetsQuery(user: User, query: URLSearchParams): boolean {
  const exact = query.get('exact') === 'true';
  const fields = searched.every((name) => {
    const wanted = query.get(name);
    return !wanted || (exact ? user[name]?.toLowerCase() === wanted.toLowerCase() : like(`%${wanted}%`).test(user[name] ?? ''));
  });
  const flags = (['enabled', 'emailVerified'] as const).every((name) => !query.has(name) || String(user[name]) === query.get(name));
  return fields && flags && meetsSearch(user, query.get('search') ?? '');
}

function meetsSearch(user: User, search: string): boolean {
  if (search.startsWith('id:')) return user.id === search.slice(3).trim();
  const terms = search.match(/"[^"]*"|\S+/g) ?? [];
  return terms.every((term) => {
    const pattern = term.startsWith('"') ? like(term.slice(1, -1)) : like(`${term.replaceAll('*', '%')}%`);
    return searched.some((name) => pattern.test(user[name] ?? ''));
  });
}

/** SQL's `like` without case, which is what Keycloak's filters become: `%` and `_` are wildcards in them. */
function like(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, 'is');
}

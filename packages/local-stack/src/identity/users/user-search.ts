import type { User } from './user.ts';

const searched = ['username', 'email', 'firstName', 'lastName'] as const;

/**
 * Whether a user matches the query of Keycloak's user list. Supports email, username, firstName and lastName (contains, or equals
 * with exact=true, ignoring case), search (each term is a prefix of one of these), enabled and emailVerified. Ignores empty filters.
 */
export function matchesQuery(user: User, query: URLSearchParams): boolean {
  const exact = query.get('exact') === 'true';
  const fields = searched.every((name) => {
    const wanted = query.get(name);
    return !wanted || (exact ? user[name]?.toLowerCase() === wanted.toLowerCase() : like(`%${wanted}%`).test(user[name] ?? ''));
  });
  const flags = (['enabled', 'emailVerified'] as const).every((name) => !query.has(name) || String(user[name]) === query.get(name));
  return fields && flags && matchesSearch(user, query.get('search') ?? '');
}

function matchesSearch(user: User, search: string): boolean {
  if (search.startsWith('id:')) return user.id === search.slice(3).trim();
  const terms = search.match(/"[^"]*"|\S+/g) ?? [];
  return terms.every((term) => {
    const pattern = term.startsWith('"') ? like(term.slice(1, -1)) : like(`${term.replaceAll('*', '%')}%`);
    return searched.some((name) => pattern.test(user[name] ?? ''));
  });
}

/** Like Keycloak's filters, this is SQL's `like` without case: `%` and `_` are wildcards. */
function like(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('%', '.*')
    .replaceAll('_', '.');
  return new RegExp(`^${source}$`, 'is');
}

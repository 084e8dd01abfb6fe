import { useSyncExternalStore } from 'react';

/** The route is the part of the address after #, so any static file server can serve this page. */
export interface Route {
  path: string;
  search: URLSearchParams;
}

/** Returns the current route, such as `/organizations/new`. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [, path = '', search = ''] = /^#?([^?]*)\??(.*)$/.exec(hash) ?? [];
  return { path: path || '/', search: new URLSearchParams(search) };
}

/** Opens a route. @param replace replaces the current entry of the browser's history */
export function navigate(route: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${route}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

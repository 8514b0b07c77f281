import { useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

import { stringifySearch, validateSearch, type Search } from './address.ts';

/**
 * Returns a function that checks whether the rendered screen matches the URL. The URL changes first, and the screen
 * follows.
 */
export function useIsCurrent(): () => boolean {
  const router = useRouter();
  const renderedSearch: Search = useSearch({ strict: false });
  const renderedPath = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return useCallback(() => {
    const { pathname, search } = router.latestLocation;
    return trimSlashes(pathname) === trimSlashes(renderedPath) && textOf(search) === textOf(renderedSearch);
  }, [router, renderedSearch, renderedPath]);
}

const trimSlashes = (path: string): string => path.replace(/\/+$/, '');

function textOf(search: object): string {
  return stringifySearch({ ...validateSearch({ ...search }) });
}

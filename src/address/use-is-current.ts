import { useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

import { stringifySearch, validateSearch, type Search } from './address.ts';

/** Whether what is drawn is what the address asks for by now: it changes at once, the screen when it has been drawn. */
export function useIsCurrent(): () => boolean {
  const router = useRouter();
  const drawn: Search = useSearch({ strict: false });
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return useCallback(() => {
    const { pathname, search } = router.latestLocation;
    return bare(pathname) === bare(path) && textOf(search) === textOf(drawn);
  }, [router, drawn, path]);
}

const bare = (path: string): string => path.replace(/\/+$/, '');

function textOf(search: object): string {
  return stringifySearch({ ...validateSearch({ ...search }) });
}

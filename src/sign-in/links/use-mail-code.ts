import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The code of a mail's link, taken out of the address. */
    readonly mailCode?: string;
  }
}

/**
 * The code of the link in a mail that led here. Whoever has it can do what the mail is for, so it moves from the
 * address, which is copied, logged and reported, to the entry of the browser's history, where loading the page anew
 * still finds it.
 */
export function useMailCode(): string | undefined {
  const navigate = useNavigate();
  const { oobCode } = useSearch({ strict: false });
  const kept = useRouterState({ select: ({ location }) => location.state.mailCode });
  useEffect(() => {
    if (oobCode === undefined) return;
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, oobCode: undefined, mode: undefined }),
      state: (previous) => ({ ...previous, mailCode: oobCode }),
      replace: true,
    });
  }, [navigate, oobCode]);
  return oobCode ?? kept;
}

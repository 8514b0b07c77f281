import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The code from an email link, removed from the URL. */
    readonly emailCode?: string;
  }
}

/**
 * Returns the code from the email link that led here. The code alone authorizes the action, so it moves from the URL,
 * which gets copied, logged, and reported, to the browser's history entry, where it survives a reload.
 */
export function useEmailCode(): string | undefined {
  const navigate = useNavigate();
  const { oobCode } = useSearch({ strict: false });
  const storedCode = useRouterState({ select: ({ location }) => location.state.emailCode });
  useEffect(() => {
    if (oobCode === undefined) return;
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, oobCode: undefined, mode: undefined }),
      state: (previous) => ({ ...previous, emailCode: oobCode }),
      replace: true,
    });
  }, [navigate, oobCode]);
  return oobCode ?? storedCode;
}

import { useAtomValue } from 'jotai';

import { sessionAtom, signOut } from '#src/auth/session.ts';
import { Button } from '#src/ui/Button.tsx';

import { useText } from './texts.ts';

/** Shows who is signed in during further steps, with a button to sign out. */
export function SignedInAs() {
  const t = useText();
  const session = useAtomValue(sessionAtom);
  if (session.status !== 'signed-in') return null;
  return (
    <div className="mt-3 flex items-center justify-between gap-3 border-t border-line pt-3 text-label text-ink-3">
      <span className="min-w-0 truncate">
        {session.method === 'identity' ? t('signedInAs', { email: session.email }) : t('signedInByToken')}
      </span>
      <Button tone="quiet" className="-mr-2 text-label" onClick={() => void signOut()}>
        {t('signOut')}
      </Button>
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { userSessionAtom } from '#src/state/user-session.ts';

const SCREENS = ['requests', 'join', 'invites', 'create'] as const;

/** The title and the explanation of an onboarding screen. */
export function AreaHeading({ screen }: { readonly screen: (typeof SCREENS)[number] }) {
  const t = useText('onboarding');
  return (
    <header className="grid gap-1.5 pb-4">
      <h1 className="text-title font-semibold">{t(`${screen}.title`)}</h1>
      <p className="text-ink-2">{t(`${screen}.hint`)}</p>
    </header>
  );
}

/** Links to the other onboarding screens and to the console, and a button to sign out. */
export function AreaFooter({ screen }: { readonly screen: (typeof SCREENS)[number] }) {
  const t = useText('onboarding');
  const session = useAtomValue(userSessionAtom);
  return (
    <footer className="mt-6 grid gap-3 border-t border-line pt-4 text-label">
      <nav aria-label={t('otherScreens')} className="flex flex-wrap gap-x-4 gap-y-1">
        {SCREENS.filter((item) => item !== screen).map((item) => (
          <Link
            key={item}
            to={`/organization/${item}`}
            search={(previous) => previous}
            className="text-accent underline-offset-2 hover:underline"
          >
            {t(`${item}.link`)}
          </Link>
        ))}
        {session?.actor.home && (
          <Link to="/" className="text-accent underline-offset-2 hover:underline">
            {t('toConsole')}
          </Link>
        )}
      </nav>
      <div className="flex items-center justify-between gap-3 text-ink-3">
        <span className="min-w-0 truncate">
          {t('signedInAs', { email: session?.actor.email || session?.actor.name || '' })}
        </span>
        <CommandButton command="me.sign-out" tone="quiet" className="-mr-2.5" />
      </div>
    </footer>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { toMs } from '#commands/model/wire.ts';
import { loadInvites } from '#commands/nouns/self/me/membership.ts';
import { keyOf } from '#src/data/query-client.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';

/** Lists the invitations sent to the user's email address, each with a button to accept. */
export function PendingInvites() {
  const t = useText('onboarding');
  const moment = useMoment();
  const session = useAtomValue(userSessionAtom);
  const query = useQuery({
    queryKey: keyOf(session?.organization.id ?? '', 'me', 'invites'),
    queryFn: () => loadInvites(contextNow()),
    enabled: session !== undefined,
  });
  if (query.isPending) return <SkeletonRows count={2} label={t('invites.title')} />;
  // Spec 8 prescribes this message.
  if (query.error) {
    return (
      <p role="alert" className="text-error-text">
        {t('invites.failed')}
      </p>
    );
  }
  if (query.data.length === 0) return <p className="text-ink-3">{t('invites.none')}</p>;
  return (
    <ul className="divide-y divide-line rounded-field border border-line">
      {query.data.map(({ organization, displayName, invitedAt }) => {
        const time = toMs(invitedAt);
        return (
          <li key={organization} className="flex items-center justify-between gap-3 px-3 py-2">
            <span className="min-w-0">
              <span className="block truncate font-medium">{displayName || organization}</span>
              <span className="block truncate text-label text-ink-3">
                {time === undefined ? organization : t('invites.invited', { organization, date: moment(time) })}
              </span>
            </span>
            <CommandButton tone="primary" command="me.accept-invite" args={{ organization }}>
              {t('invites.accept')}
            </CommandButton>
          </li>
        );
      })}
    </ul>
  );
}

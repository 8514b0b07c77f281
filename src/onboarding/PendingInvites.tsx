import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { msOf } from '#commands/model/wire.ts';
import { invites } from '#commands/nouns/self/me/membership.ts';

import { keyOf } from '#src/data/query-client.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { actingAtom } from '#src/state/acting.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';

/** The invitations for the person's own address, each with the way in. */
export function PendingInvites() {
  const text = useText();
  const moment = useMoment();
  const acting = useAtomValue(actingAtom);
  const found = useQuery({
    queryKey: keyOf(acting?.organization.id ?? '', 'me', 'invites'),
    queryFn: () => invites(contextNow()),
    enabled: acting !== undefined,
  });
  if (found.isPending) return <SkeletonRows count={2} label={text('organization.invites.title')} />;
  // Spec 8.
  if (found.error) {
    return (
      <p role="alert" className="text-error-text">
        {text('organization.invites.failed')}
      </p>
    );
  }
  if (found.data.length === 0) return <p className="text-ink-3">{text('organization.invites.none')}</p>;
  return (
    <ul className="divide-y divide-line rounded-field border border-line">
      {found.data.map(({ organization, displayName, invitedAt }) => {
        const at = msOf(invitedAt);
        return (
          <li key={organization} className="flex items-center justify-between gap-3 px-3 py-2">
            <span className="min-w-0">
              <span className="block truncate font-medium">{displayName || organization}</span>
              <span className="block truncate text-label text-ink-3">
                {at === undefined ? organization : text('organization.invites.at', { organization, at: moment(at) })}
              </span>
            </span>
            <CommandButton tone="primary" command="me.accept-invite" args={{ organization }}>
              {text('organization.invites.accept')}
            </CommandButton>
          </li>
        );
      })}
    </ul>
  );
}

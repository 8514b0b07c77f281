import { message } from '#commands/text/message.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';

import { useMembership } from './use-membership.ts';

/** Lists the requests waiting for an administrator, with the next steps and buttons to check now or withdraw. */
export function PendingRequests() {
  const t = useText('onboarding');
  const translate = useTranslate();
  const { isNewcomer, membership } = useMembership();
  const pendingRequests = membership.data?.requestedOrganizations ?? [];
  if (pendingRequests.length === 0) return null;
  return (
    <section aria-label={t('pending.title')} className="mt-6 grid gap-2">
      <h2 className="font-semibold">{t('pending.title')}</h2>
      <ul className="divide-y divide-line rounded-field border border-line">
        {pendingRequests.map((organization) => (
          <li key={organization} className="flex items-center justify-between gap-3 px-3 py-2">
            <span className="min-w-0 truncate">
              {translate(message('common:organizationId', { id: organization }))}
            </span>
            <CommandButton command="me.cancel-request" args={{ organization }}>
              {t('pending.cancel')}
            </CommandButton>
          </li>
        ))}
      </ul>
      <p className="text-label text-ink-3">{t(isNewcomer ? 'pending.next' : 'pending.nextMember')}</p>
      <div>
        <CommandButton command="me.check-requests">{t('pending.check')}</CommandButton>
      </div>
    </section>
  );
}

import { useCallback, type CSSProperties } from 'react';

import type { CurrentOrganization, SupportSession } from '#commands/model/actor.ts';
import { message } from '#commands/text/message.ts';
import { translate, useText } from '#src/i18n/i18n.ts';
import { commandAction } from '#src/run/command-action.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { invoke } from '#src/run/invoke.ts';
import { toasts } from '#src/state/toasts.ts';
import { organizationHue } from '#src/ui/org-hue.ts';

import { Countdown } from './Countdown.tsx';

const ACT_AS = 'organization.act-as';

/**
 * The band above the screen while the user is in another organization, in that organization's color. Shows the kind of
 * access, the reason, the remaining time, and a button to return.
 */
export function OrganizationBand({ organization }: { readonly organization: CurrentOrganization }) {
  const t = useText();
  const { name, supportSession } = organization;
  return (
    <aside
      data-org-hue=""
      style={{ '--org-hue': organizationHue(organization.id) } as CSSProperties}
      aria-label={t('acting.label', { name })}
      className="flex h-8 shrink-0 items-center gap-3 overflow-hidden border-b border-org bg-[color-mix(in_oklab,var(--org)_14%,var(--color-surface-0))] px-3 text-label whitespace-nowrap text-ink-1"
    >
      {supportSession ? (
        <SupportSessionState session={supportSession} name={name} />
      ) : (
        <span className="flex-1 truncate">{t('acting.subOrganization')}</span>
      )}
      <CommandButton command="organization.return" className="shrink-0">
        {t('acting.return')}
      </CommandButton>
    </aside>
  );
}

function SupportSessionState({ session, name }: { readonly session: SupportSession; readonly name: string }) {
  const t = useText();
  const end = useCallback(() => {
    void invoke({ id: 'organization.return', args: {} });
    toasts.push({
      title: translate(message('console:acting.ended', { name })),
      action: commandAction(ACT_AS, message('console:acting.again'), () => void invoke({ id: ACT_AS, args: {} })),
      duration: Infinity,
    });
  }, [name]);
  return (
    <>
      <strong className="shrink-0 font-semibold text-org">
        {t(session.changesAllowed ? 'acting.changes' : 'acting.readOnly')}
      </strong>
      <CommandButton
        command="support.set-reason"
        tone="quiet"
        showKeys={false}
        className="min-w-0 shrink px-1 font-normal"
        aria-label={t('acting.reason', { reason: session.reason || t('acting.noReason') })}
      >
        <span className="truncate">{session.reason || t('acting.noReason')}</span>
      </CommandButton>
      <span className="flex-1" />
      <Countdown key={session.endsAt} until={session.endsAt} label={t('acting.left')} onEnd={end} />
      <CommandButton command="support.extend" tone="quiet" showKeys={false} className="shrink-0">
        {t('acting.extend')}
      </CommandButton>
      <CommandButton
        command={session.changesAllowed ? 'support.read-only' : 'support.allow-changes'}
        showKeys={false}
        className="shrink-0"
      >
        {t(session.changesAllowed ? 'acting.onlyRead' : 'acting.allow')}
      </CommandButton>
    </>
  );
}

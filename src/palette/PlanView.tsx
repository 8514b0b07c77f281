import type { CSSProperties } from 'react';

import type { ActingOrganization } from '#commands/core/context';
import type { Change } from '#commands/core/plan';
import type { Prepared } from '#commands/core/run';

import { useSay, useText } from '../i18n.ts';
import { cx } from '../ui/cx.ts';
import { organizationHue } from '../ui/org-hue.ts';

/** Changes that are shown one by one; of more only how many. */
const SHOWN = 3;

/** What a command would do: how many, where, what changes, and whether there is a way back. */
export function PlanView({
  prepared,
  organization,
}: {
  readonly prepared: Prepared;
  readonly organization: ActingOrganization;
}) {
  const say = useSay();
  const text = useText();
  const { plan } = prepared;
  if (!plan) return null;
  const items = new Set(plan.changes.map((change) => change.id)).size;
  const writes = prepared.command.effect !== 'navigate' && prepared.command.effect !== 'read';
  return (
    <>
      <p className="text-ink-1">
        <span className="font-semibold">{say(plan.summary)}</span>
        {writes && organization.id && (
          <>
            {` ${text('palette.in')} `}
            <span
              data-org-hue=""
              style={{ '--org-hue': organizationHue(organization.id) } as CSSProperties}
              className={cx('font-semibold', organization.impersonating && 'text-org')}
            >
              {organization.name}
            </span>
          </>
        )}
        <span className="ml-2 text-ink-3">
          {[...(plan.notes ?? []).map(say), ...(plan.reversible && writes ? [text('palette.reversible')] : [])].join(
            ' · ',
          )}
        </span>
        {writes && !plan.reversible && (
          <strong className="ml-2 font-semibold text-error-text">{text('palette.irreversible')}</strong>
        )}
      </p>
      {plan.changes.length > 0 && (
        <ul className="mt-1 text-label text-ink-2">
          {plan.changes.slice(0, SHOWN).map((change) => (
            <ChangeLine key={`${change.id} ${change.field.key}`} change={change} />
          ))}
          {plan.changes.length > SHOWN && (
            <li className="text-ink-3">
              {text('palette.more', { count: plan.changes.length - SHOWN, items: items.toLocaleString() })}
            </li>
          )}
        </ul>
      )}
    </>
  );
}

function ChangeLine({ change }: { readonly change: Change }) {
  const say = useSay();
  const text = useText();
  const none = text('palette.none');
  return (
    <li className="truncate">
      {change.label} <span className="text-ink-3">{say(change.field)}</span>{' '}
      <span className="text-ink-3">
        <del className="no-underline">{change.before ?? none}</del> →{' '}
      </span>
      <ins className="text-ink-1 no-underline">{change.after ?? none}</ins>
    </li>
  );
}

import { Fragment, useMemo, type CSSProperties } from 'react';

import type { ActingOrganization } from '#commands/model/actor.ts';
import { distribution, isCommon } from '#commands/run/distribution.ts';
import { isListChange, type Change, type FieldChanges, type ValueText } from '#commands/model/plan.ts';
import type { Prepared } from '#commands/run/run.ts';

import { useSay, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { organizationHue } from '#src/ui/org-hue.ts';

/** Changes that are shown one by one; of more only how many. */
const SHOWN = 3;

/** Fields of a plan, and ways in which one changes, that are shown. */
const SHOWN_FIELDS = 6;
const SHOWN_WAYS = 6;

/** What a command would do: how many, where, what changes, and whether there is a way back. */
export function PlanView({
  prepared,
  organization,
}: {
  readonly prepared: Pick<Prepared, 'command' | 'plan'>;
  readonly organization: ActingOrganization;
}) {
  const say = useSay();
  const text = useText();
  const { plan } = prepared;
  if (!plan) return null;
  const writes = prepared.command.effect !== 'navigate' && prepared.command.effect !== 'read';
  return (
    <>
      <p className="text-ink-1">
        <span className="font-semibold">{say(plan.summary)}</span>
        {writes && !plan.personal && organization.id && (
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
      {plan.counted ? <Fields fields={plan.counted} /> : plan.changes.length > 0 && <Changes changes={plan.changes} />}
    </>
  );
}

/** Of several that change alike, how many change how; else the first ones, one by one. */
function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const text = useText();
  const fields = useMemo(() => distribution(changes), [changes]);
  if (isCommon(fields)) return <Fields fields={fields} />;
  return (
    <ul className="mt-1 text-label text-ink-2">
      {changes.slice(0, SHOWN).map((change) => (
        <ChangeLine key={`${change.id} ${change.field.key}`} change={change} />
      ))}
      {changes.length > SHOWN && (
        <li className="text-ink-3">{text('palette.more', { count: changes.length - SHOWN })}</li>
      )}
    </ul>
  );
}

function Fields({ fields }: { readonly fields: readonly FieldChanges[] }) {
  return (
    <ul className="mt-1 text-label text-ink-2">
      {fields.slice(0, SHOWN_FIELDS).map((field) => (
        <FieldLine key={field.field.key} {...field} />
      ))}
    </ul>
  );
}

/** `lifecycle 23,100 Installed → Paused · 969 Spare → Paused`; a count that says nothing more is left out. */
function FieldLine({ field, groups }: FieldChanges) {
  const say = useSay();
  const text = useText();
  const more = groups.slice(SHOWN_WAYS).reduce((sum, { count }) => sum + count, 0);
  return (
    <li>
      <span className="text-ink-3">{say(field)}</span>{' '}
      {groups.slice(0, SHOWN_WAYS).map(({ change, count }, index) => (
        <Fragment key={change.id}>
          {index > 0 && <span className="text-ink-3"> · </span>}
          {groups.length > 1 && <span className="tabular-nums">{say({ key: 'core:count', values: { count } })} </span>}
          <Difference change={change} />
        </Fragment>
      ))}
      {more > 0 && <span className="text-ink-3"> · {text('palette.more', { count: more })}</span>}
    </li>
  );
}

function ChangeLine({ change }: { readonly change: Change }) {
  const say = useSay();
  return (
    <li className="truncate">
      {change.label} <span className="text-ink-3">{say(change.field)}</span> <Difference change={change} />
    </li>
  );
}

/** What is there before and after; of a list only what joins it and what leaves it. */
function Difference({ change }: { readonly change: Change }) {
  const say = useSay();
  const text = useText();
  const none = text('palette.none');
  const shown = (value: ValueText): string => (typeof value === 'object' ? say(value) : (value ?? none));
  if (isListChange(change)) {
    const { added = [], removed = [] } = change;
    return (
      <>
        {added.length > 0 && (
          <ins className="text-ink-1 no-underline">{added.map((item) => `+ ${shown(item)}`).join(' ')}</ins>
        )}
        {added.length > 0 && removed.length > 0 && ' '}
        {removed.length > 0 && (
          <del className="text-ink-3 no-underline">{removed.map((item) => `− ${shown(item)}`).join(' ')}</del>
        )}
      </>
    );
  }
  return (
    <>
      <span className="text-ink-3">
        <del className="no-underline">{shown(change.before)}</del> →{' '}
      </span>
      <ins className="text-ink-1 no-underline">{shown(change.after)}</ins>
    </>
  );
}

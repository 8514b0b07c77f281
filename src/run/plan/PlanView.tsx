import { Fragment, useMemo, type CSSProperties } from 'react';

import type { CurrentOrganization } from '#commands/model/actor.ts';
import {
  fieldLabel,
  isListChange,
  lineLabel,
  type Change,
  type ChangedLine,
  type FieldChanges,
  type ValueText,
} from '#commands/model/plan.ts';
import { distribution, hasRepeatedChanges } from '#commands/run/distribution.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { stagesNote } from '#commands/run/stages.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { organizationHue } from '#src/ui/org-hue.ts';

/** Maximum number of changes to list. Further changes are only counted. */
const MAX_CHANGES = 3;

/** Maximum number of fields to list. */
const MAX_FIELDS = 6;

/** Maximum number of groups to list per field. The items of further groups are only counted. */
const MAX_GROUPS = 6;

/** Shows what a command would do: how many items, where, the changes, and whether it can be undone. */
export function PlanView({
  preparedRun,
  organization,
}: {
  readonly preparedRun: Pick<PreparedRun, 'command' | 'plan'>;
  readonly organization: CurrentOrganization;
}) {
  const translate = useTranslate();
  const t = useText('running');
  const { plan } = preparedRun;
  if (!plan) return null;
  const writes = preparedRun.command.effect !== 'navigate' && preparedRun.command.effect !== 'read';
  return (
    <>
      <p className="text-ink-1">
        <span className="font-semibold">{translate(plan.summary)}</span>
        {writes && !plan.personal && organization.id && (
          <>
            {` ${t('palette.in')} `}
            <span
              data-org-hue=""
              style={{ '--org-hue': organizationHue(organization.id) } as CSSProperties}
              className={cx('font-semibold', organization.awayFromHome && 'text-org')}
            >
              {organization.name}
            </span>
          </>
        )}
        <span className="ml-2 text-ink-3">
          {[...(plan.notes ?? []).map(translate), ...(plan.reversible && writes ? [t('palette.reversible')] : [])].join(
            ' · ',
          )}
        </span>
        {writes && !plan.reversible && (
          <strong className="ml-2 font-semibold text-error-text">{t('palette.irreversible')}</strong>
        )}
      </p>
      {plan.changeCounts ? (
        <Fields fields={plan.changeCounts} />
      ) : (
        plan.changes.length > 0 && <Changes changes={plan.changes} />
      )}
      {plan.staged && <p className="mt-1 text-label text-ink-2">{translate(stagesNote())}</p>}
      {plan.sample !== undefined && (
        <pre
          className="mt-1 max-h-40 overflow-auto rounded border border-line p-2 font-mono text-label text-ink-2"
          // It can scroll, so the keyboard has to reach it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          {plan.sample}
        </pre>
      )}
    </>
  );
}

/** Shows counts for similar changes, or else the first changes one by one. */
function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const t = useText('running');
  const fields = useMemo(() => distribution(changes), [changes]);
  if (hasRepeatedChanges(fields)) return <Fields fields={fields} />;
  return (
    <ul className="mt-1 text-label text-ink-2">
      {changes.slice(0, MAX_CHANGES).map((change) => (
        <ChangeLine key={`${change.id} ${change.field.key}`} change={change} isOnly={changes.length === 1} />
      ))}
      {changes.length > MAX_CHANGES && (
        <li className="text-ink-3">{t('palette.more', { count: changes.length - MAX_CHANGES })}</li>
      )}
    </ul>
  );
}

function Fields({ fields }: { readonly fields: readonly FieldChanges[] }) {
  return (
    <ul className="mt-1 text-label text-ink-2">
      {fields.slice(0, MAX_FIELDS).map((field) => (
        <FieldLine key={field.field.key} {...field} />
      ))}
    </ul>
  );
}

/** Renders `Lifecycle 23,100 Installed → Paused · 969 Spare → Paused`. Omits the count if there is only one group. */
function FieldLine({ field, groups }: FieldChanges) {
  const translate = useTranslate();
  const t = useText('running');
  const hiddenCount = groups.slice(MAX_GROUPS).reduce((sum, { count }) => sum + count, 0);
  return (
    <li>
      <span className="text-ink-3">{translate(fieldLabel(field))}</span>{' '}
      {groups.slice(0, MAX_GROUPS).map(({ change, count }, index) => (
        <Fragment key={change.id}>
          {index > 0 && <span className="text-ink-3"> · </span>}
          {groups.length > 1 && (
            <span className="tabular-nums">{translate({ key: 'core:count', values: { count } })} </span>
          )}
          <Difference change={change} />
        </Fragment>
      ))}
      {hiddenCount > 0 && <span className="text-ink-3"> · {t('palette.more', { count: hiddenCount })}</span>}
    </li>
  );
}

/** A single change has room for several lines. */
function ChangeLine({ change, isOnly }: { readonly change: Change; readonly isOnly: boolean }) {
  const translate = useTranslate();
  if (change.lines)
    return (
      <li>
        {change.label} <span className="text-ink-3">{translate(fieldLabel(change.field))}</span>
        <ChangedLines {...change.lines} />
      </li>
    );
  return (
    <li className={isOnly ? 'line-clamp-3 wrap-anywhere' : 'truncate'}>
      {change.label} <span className="text-ink-3">{translate(fieldLabel(change.field))}</span>{' '}
      <Difference change={change} />
    </li>
  );
}

/** Renders `line 12 level  type: u2 → type: u4`, and an added or removed line with its sign. */
function ChangedLines({ shown, moreCount }: NonNullable<Change['lines']>) {
  const translate = useTranslate();
  const t = useText('running');
  return (
    <ul className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 pl-3">
      {shown.map((line) => (
        <li key={`${line.line} ${line.after === undefined}`} className="col-span-2 grid grid-cols-subgrid">
          <span className="text-ink-3 tabular-nums">{translate(lineLabel(line))}</span>
          <span className="type-mono line-clamp-2 wrap-anywhere">
            <LineDifference {...line} />
          </span>
        </li>
      ))}
      {moreCount > 0 && <li className="text-ink-3">{t('palette.more', { count: moreCount })}</li>}
    </ul>
  );
}

function LineDifference({ before, after }: ChangedLine) {
  const isReplaced = before !== undefined && after !== undefined;
  return (
    <>
      {before !== undefined && (
        <del className="text-ink-3 no-underline">{isReplaced ? `${before} → ` : `− ${before}`}</del>
      )}
      {after !== undefined && <ins className="text-ink-1 no-underline">{isReplaced ? after : `+ ${after}`}</ins>}
    </>
  );
}

/** Shows the value before and after the change. For a list, shows only the added and removed entries. */
function Difference({ change }: { readonly change: Change }) {
  const translate = useTranslate();
  const t = useText('running');
  const noneText = t('palette.none');
  const format = (value: ValueText): string => (typeof value === 'object' ? translate(value) : (value ?? noneText));
  if (isListChange(change)) {
    const { added = [], removed = [] } = change;
    return (
      <>
        {added.length > 0 && (
          <ins className="text-ink-1 no-underline">{added.map((item) => `+ ${format(item)}`).join(' ')}</ins>
        )}
        {added.length > 0 && removed.length > 0 && ' '}
        {removed.length > 0 && (
          <del className="text-ink-3 no-underline">{removed.map((item) => `− ${format(item)}`).join(' ')}</del>
        )}
      </>
    );
  }
  return (
    <>
      <span className="text-ink-3">
        <del className="no-underline">{format(change.before)}</del> →{' '}
      </span>
      <ins className="text-ink-1 no-underline">{format(change.after)}</ins>
    </>
  );
}

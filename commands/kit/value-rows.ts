import { toJson } from '@bufbuild/protobuf';

import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { RowStream } from '#commands/model/host.ts';
import type { ValueOwner, ValueOwners } from '#commands/model/values.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { chunks } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { ValueContextSchema, ValueService, type ValueContext } from '#proto/gen/hiber/value_service_pb.ts';

import { findField } from './value-chart.ts';
import { loadFields, type FieldValue } from './value-loading.ts';
import { pickLastOfIntervals, timeRange, loadValuePages, type LoadValues } from './value-pages.ts';
import type { Span } from './value-series.ts';
import { rawValue, valueText } from './value-text.ts';

/** The number of owners in a request. */
const OWNERS_PER_REQUEST = 200;

/** Owners of the same organization, few enough for one request. */
export interface OwnerGroup {
  readonly organization: string;
  readonly owners: ValueOwners;
}

/** Groups owners for requests. `select` selects several of them by id. */
export function groupOwners(
  owners: readonly Pick<ValueOwner, 'id' | 'organization'>[],
  select: (ids: readonly string[]) => ValueOwners,
): readonly OwnerGroup[] {
  return [...groupBy(owners, ({ organization }) => organization)].flatMap(([organization, group]) =>
    chunks(group, OWNERS_PER_REQUEST).map((part) => ({ organization, owners: select(part.map(({ id }) => id)) })),
  );
}

/**
 * Returns field paths. Checks the names against the fields of the owners, and loads no more groups than it needs to.
 *
 * @throws CommandError if none of the owners has a field
 */
export async function findFields(
  context: Context,
  groups: readonly OwnerGroup[],
  names: readonly string[],
  ownerName: string,
): Promise<readonly string[]> {
  const fields: Pick<FieldValue, 'field' | 'name'>[] = [];
  let problem: CommandError | undefined;
  for (const { organization, owners } of groups) {
    const loadedFields = await loadFields(context, organization, owners);
    fields.push(...loadedFields.map(({ field, displayName }) => ({ field, name: displayName || field })));
    try {
      return names.map((name) => findField(name, fields, ownerName));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problem = error;
    }
  }
  if (problem) throw problem;
  return names;
}

interface StreamOptions {
  /** Empty for all fields. */
  readonly fields: readonly string[];
  readonly span: Span;
  /** Keeps only the last value in each interval of this many ms. Undefined keeps all values. */
  readonly every: number | undefined;
  readonly csv: boolean;
  readonly formulas?: boolean;
}

/** Returns the values of all groups as rows that load while printing. */
export function streamValues(context: Context, groups: readonly OwnerGroup[], options: StreamOptions): RowStream {
  const withPoints = groups.some(({ owners }) => owners.case === 'processPoints');
  const columns = valueColumns.filter(({ id }) => withPoints || id !== 'processPoint');
  return {
    columns: columns.map((column) => ({ ...column, head: message(`running:values.columns.${column.id}`) })),
    batches: loadAllValues(context, groups, options),
    json: (row) => toJson(ValueContextSchema, row as ValueContext),
    csv: options.csv,
    formulas: options.formulas ?? false,
  };
}

/** Yields the values group by group, without keeping them. */
async function* loadAllValues(
  context: Context,
  groups: readonly OwnerGroup[],
  { fields, span, every }: StreamOptions,
): AsyncGenerator<readonly ValueContext[]> {
  for (const group of groups) {
    const pages = loadValuePages(valueLoader(context, group, fields), span);
    yield* every === undefined ? pages : pickLastOfIntervals(pages, every);
  }
}

/** Returns a function that loads the values of fields, or of all fields if there are none. */
export function valueLoader(
  context: Context,
  { organization, owners }: OwnerGroup,
  fields: readonly string[],
): LoadValues {
  return async (span, pagination) => {
    context.signal.throwIfAborted();
    const { values, pagination: result } = await context.api(ValueService).list(
      {
        organization,
        selection: {
          ownerSelection: owners,
          dataSelection: { case: 'field', value: { fields: [...fields] } },
          timeRange: timeRange(span),
          includeOperationalData: true,
        },
        pagination,
      },
      { signal: context.signal },
    );
    return { values, hasMore: values.length >= (result?.size || pagination.size) };
  };
}

const valueColumns: readonly Column<ValueContext>[] = [
  { id: 'time', kind: 'time', width: 150, value: ({ time }) => textOf(time), time: ({ time }) => toMs(time) },
  { id: 'processPoint', kind: 'text', width: 160, value: ({ processPoint }) => processPoint?.name },
  { id: 'device', kind: 'text', width: 160, value: ({ device }) => device?.name },
  { id: 'number', kind: 'mono', width: 88, value: ({ device }) => device?.number },
  { id: 'field', kind: 'mono', width: 120, value: ({ field }) => field },
  { id: 'value', kind: 'number', width: 90, value: (row) => valueText(row)?.text, raw: rawValue },
  { id: 'unit', kind: 'text', width: 60, value: (row) => valueText(row)?.unit },
];

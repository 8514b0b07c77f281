import { sortProblems, warningNotes, type RowProblem } from '#commands/kit/import/problems.ts';
import { readTable, type Table, type TableArgs } from '#commands/kit/import/table.ts';
import type { Context } from '#commands/model/context.ts';
import type { Change } from '#commands/model/plan.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

import { plannedNow } from './assign-device.ts';
import { COLUMNS, isHead, MAX_ROWS, parseRows } from './assignment-rows.ts';
import { type NamedRow, resolveNames, findContradictions } from './import-rows.ts';
import { loadPeriods } from './period-requests.ts';
import { conflictMessage, effectNotes, periodsChange } from './period-texts.ts';
import {
  addPeriod,
  findEffect,
  pairKey,
  samePeriods,
  type OverrideFlags,
  type PairPeriods,
  type Period,
} from './periods.ts';
import { loadSharedFieldWarnings, warningMessage } from './shared-fields.ts';

/** What a table must have. */
export const EXPECTED = message('process-point:validation.expected', { columns: COLUMNS.join(', ') });

/** A row or, for `replace`, all rows of a pair; and the periods of the pair before and after. */
export interface Step {
  readonly line: number;
  readonly pair: PairPeriods;
  readonly wanted: readonly Period[];
  readonly after: readonly Period[];
}

export interface Import extends Checks {
  readonly table: Table;
}

interface Checks {
  readonly steps: readonly Step[];
  readonly unchangedCount: number;
  readonly problems: readonly RowProblem[];
  readonly notes: readonly Message[];
}

/** Reads the rows, looks up their devices and points, and checks them against the current assignments. */
export async function readImport(context: Context, args: ImportArgs): Promise<Import> {
  const { replace } = args;
  const table = readTable(args, { maxRows: MAX_ROWS, isHead, expected: EXPECTED });
  const parsed = parseRows(table, plannedNow(args as never, context));
  const { named, problems: nameProblems } = await resolveNames(context, parsed);
  const contradictionProblems = findContradictions(named);
  const missingPeriodProblems = replace
    ? []
    : named
        .filter(({ row }) => !row.period)
        .map(({ row }) => ({ line: row.line, column: 'from' as const, reason: message('process-point:row.never') }));
  const wrongLines = new Set([...contradictionProblems, ...missingPeriodProblems].map(({ line }) => line));
  const validRows = named.filter(({ row }) => !wrongLines.has(row.line));
  const pairs = new Map(
    (
      await loadPeriods(
        context,
        validRows.map(({ pair }) => pair),
      )
    ).map((pair) => [pairKey(pair), pair]),
  );
  const read = replace ? replaceSteps(validRows, pairs) : addSteps(validRows, pairs, args, context);
  const problems = [
    ...parsed.problems,
    ...nameProblems,
    ...contradictionProblems,
    ...missingPeriodProblems,
    ...read.problems,
  ];
  const warnings = await loadWarnings(context, read.steps);
  return {
    ...read,
    notes: [...read.notes, ...warningNotes(warnings)],
    table,
    problems: sortProblems(problems, COLUMNS),
  };
}

/** Returns a warning for each shared field of a row that brings its process point no values. */
async function loadWarnings(context: Context, steps: readonly Step[]): Promise<readonly RowProblem[]> {
  const sharings = steps.map(({ line, pair, wanted }) => ({
    line,
    organization: pair.organization,
    device: pair.device,
    fields: [...new Set(wanted.flatMap(({ fields }) => fields))],
  }));
  const warn = await loadSharedFieldWarnings(context, sharings);
  return sharings.flatMap(({ line, ...sharing }) =>
    warn(sharing).map((warning) => ({
      line,
      column: 'fields' satisfies (typeof COLUMNS)[number],
      reason: warningMessage(warning, sharing.device.label),
    })),
  );
}

/** Returns steps that add the periods of rows to the current ones. */
function addSteps(
  rows: readonly NamedRow[],
  pairs: ReadonlyMap<string, PairPeriods>,
  flags: OverrideFlags,
  context: Context,
): Checks {
  const steps: Step[] = [];
  const problems: RowProblem[] = [];
  const notes: Message[] = [];
  let unchangedCount = 0;
  for (const { row, pair } of rows) {
    const current = pairs.get(pairKey(pair))!;
    const wantedPeriod = row.period!;
    const effect = findEffect(current.periods, wantedPeriod);
    if (!effect) {
      unchangedCount++;
      continue;
    }
    const conflict = conflictMessage([{ ...pair, effect }], wantedPeriod.since, flags, context);
    if (conflict) problems.push({ line: row.line, reason: conflict });
    else {
      notes.push(...effectNotes([{ ...pair, effect }], wantedPeriod.since, context));
      steps.push({
        line: row.line,
        pair: current,
        wanted: [wantedPeriod],
        after: addPeriod(current.periods, wantedPeriod, effect),
      });
    }
  }
  return { steps, problems, notes, unchangedCount };
}

/** Returns steps that replace the periods of each pair by those of its rows. */
function replaceSteps(rows: readonly NamedRow[], pairs: ReadonlyMap<string, PairPeriods>): Checks {
  const allSteps = [...groupBy(rows, ({ pair }) => pairKey(pair))].map(([key, group]): Step => {
    const wantedPeriods = group.flatMap(({ row }) => row.period ?? []).toSorted((a, b) => a.since - b.since);
    return { line: group[0]!.row.line, pair: pairs.get(key)!, wanted: wantedPeriods, after: wantedPeriods };
  });
  const steps = allSteps.filter(({ pair, after }) => !samePeriods(pair.periods, after));
  return { steps, problems: [], notes: [], unchangedCount: allSteps.length - steps.length };
}

export const changeOfPoint = (steps: readonly Step[], context: Context): Change =>
  periodsChange(
    steps[0]!.pair.point,
    message('process-point:fields.devices'),
    steps.map(({ pair, after }) => ({ name: pair.device.label, before: pair.periods, after })),
    context,
  );

export interface ImportArgs extends TableArgs {
  readonly replace: boolean;
  readonly override: boolean;
  readonly allowDelete: boolean;
  readonly skip: boolean;
  readonly save: boolean;
}

import { getTextEncoding } from '@bufbuild/protobuf/wire';

import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FileContent } from '#commands/model/files.ts';
import type { Change } from '#commands/model/plan.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

import { plannedNow } from './assign-device.ts';
import { MAX_ROWS, parseRows, type RowProblem } from './assignment-rows.ts';
import { MAX_PROBLEMS } from './find-all.ts';
import { type NamedRow, resolveNames, findContradictions, columnIndex } from './import-rows.ts';
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

/** Characters left by decoding another encoding as UTF-8, such as that of a spreadsheet's "Unicode text". */
export const UNREADABLE = /[\0\uFFFD]/;

/** A row or, for `replace`, all rows of a pair; and the periods of the pair before and after. */
export interface Step {
  readonly line: number;
  readonly pair: PairPeriods;
  readonly wanted: readonly Period[];
  readonly after: readonly Period[];
}

export interface Import {
  readonly steps: readonly Step[];
  readonly unchangedCount: number;
  readonly problems: readonly RowProblem[];
  readonly notes: readonly Message[];
}

export function textOf({ file, rows = '' }: ImportArgs): string {
  return file ? getTextEncoding().decodeUtf8(file.bytes) : rows;
}

/** Reads the rows, looks up their devices and points, and checks them against the current assignments. */
export async function readImport(context: Context, args: ImportArgs): Promise<Import> {
  const { replace } = args;
  const parsed = parseRows(textOf(args), plannedNow(args as never, context));
  if (parsed.count > MAX_ROWS)
    throw new CommandError(
      message('process-point:validation.tooManyRows', { count: parsed.count, max: MAX_ROWS }),
      args.file ? 'file' : 'rows',
    );
  if (parsed.count === 0 && parsed.problems.length === 0)
    throw new CommandError(message('process-point:validation.emptyTable'), args.file ? 'file' : 'rows');
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
  return { ...read, problems: problems.toSorted((a, b) => a.line - b.line || columnIndex(a) - columnIndex(b)) };
}

/** Returns steps that add the periods of rows to the current ones. */
function addSteps(
  rows: readonly NamedRow[],
  pairs: ReadonlyMap<string, PairPeriods>,
  flags: OverrideFlags,
  context: Context,
): Import {
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
function replaceSteps(rows: readonly NamedRow[], pairs: ReadonlyMap<string, PairPeriods>): Import {
  const allSteps = [...groupBy(rows, ({ pair }) => pairKey(pair))].map(([key, group]): Step => {
    const wantedPeriods = group.flatMap(({ row }) => row.period ?? []).toSorted((a, b) => a.since - b.since);
    return { line: group[0]!.row.line, pair: pairs.get(key)!, wanted: wantedPeriods, after: wantedPeriods };
  });
  const steps = allSteps.filter(({ pair, after }) => !samePeriods(pair.periods, after));
  return { steps, problems: [], notes: [], unchangedCount: allSteps.length - steps.length };
}

export function problemText({ line, column, reason }: RowProblem): Message {
  return column
    ? message('process-point:row.problemIn', { line, column, reason })
    : message('process-point:row.problem', { line, reason });
}

/** Lists problems, one per line. */
export function problemsText(problems: readonly RowProblem[]): Message {
  const listedProblems = problems.slice(0, MAX_PROBLEMS).map(problemText);
  const count = problems.length - listedProblems.length;
  const lines = count > 0 ? [...listedProblems, message('process-point:plan.more', { count })] : listedProblems;
  return lines.reduce((before, next) => message('process-point:row.lines', { before, next }));
}

export const changeOfPoint = (steps: readonly Step[], context: Context): Change =>
  periodsChange(
    steps[0]!.pair.point,
    message('process-point:fields.devices'),
    steps.map(({ pair, after }) => ({ name: pair.device.label, before: pair.periods, after })),
    context,
  );

export interface ImportArgs {
  readonly file?: FileContent | '' | undefined;
  readonly rows?: string | undefined;
  readonly replace: boolean;
  readonly override: boolean;
  readonly allowDelete: boolean;
  readonly skip: boolean;
}

import { getTextEncoding } from '@bufbuild/protobuf/wire';

import { runInBatches } from '#commands/kit/batch.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FileContent } from '#commands/model/files.ts';
import { p } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { maybeChanged, succeededResults, type ItemResult } from '#commands/model/result.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import type { Device } from '#commands/nouns/fleet/device/item.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';

import { ASSIGNMENT_ABILITIES, createPair, plannedNow, requireSameOrganization } from './assign-device.ts';
import {
  COLUMNS,
  MAX_ROWS,
  parseRows,
  restoringInvocations,
  storedPeriods,
  type AssignmentRow,
  type ParsedRows,
  type RowNames,
  type RowProblem,
  type StoredPeriods,
} from './assignment-rows.ts';
import { processPoint } from './entity.ts';
import { findAll, MAX_PROBLEMS } from './find-all.ts';
import type { PointItem } from './item.ts';
import {
  addPeriod,
  assignRequest,
  conflictMessage,
  effectNotes,
  findEffect,
  loadPeriods,
  pairKey,
  periodsChange,
  samePeriods,
  type OverrideFlags,
  type Pair,
  type PairPeriods,
  type Period,
} from './periods.ts';
import { deletesFirst, replacePeriods, safeguardPeriods } from './replace-periods.ts';

const MAX_TEXT = 200_000;

/** Characters left by decoding another encoding as UTF-8, such as that of a spreadsheet's "Unicode text". */
const UNREADABLE = /[\0\uFFFD]/;

interface ImportArgs {
  readonly file?: FileContent | '' | undefined;
  readonly rows?: string | undefined;
  readonly replace: boolean;
  readonly override: boolean;
  readonly allowDelete: boolean;
  readonly skip: boolean;
}

/** A row whose device and point exist. */
interface NamedRow {
  readonly row: AssignmentRow;
  readonly pair: Pair;
}

/** A row or, for `replace`, all rows of a pair; and the periods of the pair before and after. */
interface Step {
  readonly line: number;
  readonly pair: PairPeriods;
  readonly wanted: readonly Period[];
  readonly after: readonly Period[];
}

interface Import {
  readonly steps: readonly Step[];
  readonly unchangedCount: number;
  readonly problems: readonly RowProblem[];
  readonly notes: readonly Message[];
}

function textOf({ file, rows = '' }: ImportArgs): string {
  return file ? getTextEncoding().decodeUtf8(file.bytes) : rows;
}

const isMessage = (value: object): value is Message => 'key' in value && !('point' in value) && !('modem' in value);

/** Looks up the devices and points of the rows, and of those that have other problems. */
async function resolveNames(
  context: Context,
  { rows, otherNames }: ParsedRows,
): Promise<{ readonly named: readonly NamedRow[]; readonly problems: readonly RowProblem[] }> {
  const inputs = (column: 'device' | 'point') =>
    [...new Set([...rows, ...otherNames].map((row) => row[column]))].filter((text) => text !== '');
  const [devices, points] = await Promise.all([
    findAll<Device>(device, inputs('device'), device.isId, context),
    findAll<PointItem>(processPoint, inputs('point'), (text) => text.startsWith('#'), context),
  ]);
  const unknownIn = ({ line, device: number, point }: RowNames): readonly RowProblem[] =>
    [['device', devices.get(number)] as const, ['point', points.get(point)] as const].flatMap(([column, found]) =>
      found && isMessage(found) ? [{ line, column, reason: found }] : [],
    );
  const problems: RowProblem[] = otherNames.flatMap(unknownIn);
  const namedRows = rows.flatMap((row): NamedRow[] => {
    const unknownNames = unknownIn(row);
    problems.push(...unknownNames);
    if (unknownNames.length > 0) return [];
    const [item, point] = [devices.get(row.device)!, points.get(row.point)!];
    try {
      requireSameOrganization(point as PointItem, item as Device);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push({ line: row.line, reason: error.userMessage });
      return [];
    }
    return [{ row, pair: createPair(point as PointItem, item as Device) }];
  });
  return { named: namedRows, problems };
}

const overlaps = (a: Period, b: Period): boolean => a.since < (b.until ?? Infinity) && b.since < (a.until ?? Infinity);

/** Finds rows of the same pair that contradict each other: of two such rows, the later one. */
function findContradictions(rows: readonly NamedRow[]): readonly RowProblem[] {
  return [...groupBy(rows, ({ pair }) => pairKey(pair)).values()].flatMap((group) =>
    group.flatMap(({ row }, index) => {
      const earlier = group
        .slice(0, index)
        .find((other) => !row.period || !other.row.period || overlaps(row.period, other.row.period));
      return earlier
        ? [{ line: row.line, reason: message('process-point:row.overlaps', { line: earlier.row.line }) }]
        : [];
    }),
  );
}

const columnIndex = ({ column }: RowProblem): number => (column === undefined ? -1 : COLUMNS.indexOf(column));

/** Reads the rows, looks up their devices and points, and checks them against the current assignments. */
async function readImport(context: Context, args: ImportArgs): Promise<Import> {
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

function problemText({ line, column, reason }: RowProblem): Message {
  return column
    ? message('process-point:row.problemIn', { line, column, reason })
    : message('process-point:row.problem', { line, reason });
}

/** Lists problems, one per line. */
function problemsText(problems: readonly RowProblem[]): Message {
  const listedProblems = problems.slice(0, MAX_PROBLEMS).map(problemText);
  const count = problems.length - listedProblems.length;
  const lines = count > 0 ? [...listedProblems, message('process-point:plan.more', { count })] : listedProblems;
  return lines.reduce((before, next) => message('process-point:row.lines', { before, next }));
}

const changeOfPoint = (steps: readonly Step[], context: Context): Change =>
  periodsChange(
    steps[0]!.pair.point,
    message('process-point:fields.devices'),
    steps.map(({ pair, after }) => ({ name: pair.device.label, before: pair.periods, after })),
    context,
  );

/** One change per point, as in the command that a replacement undoes, so undo recognizes later changes. */
function changesByPoint(steps: readonly Step[], context: Context): readonly Change[] {
  return [...groupBy(steps, ({ pair }) => pair.point.id).values()].map((group) => changeOfPoint(group, context));
}

/** One change per row, so a plan lists the first rows. */
function changesByRow(steps: readonly Step[], context: Context): readonly Change[] {
  return steps.map(({ line, pair, after }) =>
    periodsChange(
      { id: `${line}`, label: pair.device.label },
      message('process-point:fields.assignments'),
      [{ name: pair.point.label, before: pair.periods, after }],
      context,
    ),
  );
}

/** The imports by their arguments, so the run does what the plan says. */
const plannedImports = new WeakMap<object, Import>();

async function prepareImport(context: Context, args: ImportArgs): Promise<Import> {
  const read = plannedImports.get(args) ?? (await readImport(context, args));
  plannedImports.set(args, read);
  return read;
}

/** Returns the key of a step's calls, which steps share if they change the same periods of a point in the same way. */
const callKey =
  (replaces: boolean) =>
  ({ pair, wanted }: Step): string =>
    JSON.stringify([pair.organization, pair.point.id, wanted, replaces ? pair.periods : []]);

/**
 * Assigns devices to process points from a table. `replace` makes the assignments of each pair exactly those of the
 * table, which undo uses to restore earlier ones.
 */
export const importAssignments = command({
  id: 'process-point.import-assignments',
  requires: ASSIGNMENT_ABILITIES,
  features: ['PROCESS_POINTS'],
  effect: 'write',
  params: {
    file: p.file({
      accept: ['text/csv', 'text/tab-separated-values', 'text/plain', 'application/vnd.ms-excel'],
      maxBytes: MAX_TEXT,
    }),
    rows: p.text({ multiline: true, maxLength: MAX_TEXT, placeholder: 'device,point,from,until', fromInput: true }),
    override: p.flag(),
    allowDelete: p.flag(),
    replace: p.flag(),
    skip: p.flag(),
  },
  positional: ['rows'],
  initial: async () => ({ values: {} }),
  problems: (_context, args) => {
    if (args.file && args.rows) return { rows: message('process-point:validation.fileOrRows') };
    if (args.allowDelete && !args.override)
      return { allowDelete: message('process-point:validation.deleteWithoutOverride') };
    const text = textOf(args);
    if (UNREADABLE.test(text)) return { [args.file ? 'file' : 'rows']: message('process-point:validation.encoding') };
    return text.trim() === '' ? { rows: message('process-point:validation.noRows') } : {};
  },
  plan: async (context, args) => {
    const { steps, problems, notes, unchangedCount } = await prepareImport(context, args);
    const deletedCount = args.replace ? steps.filter(({ pair, after }) => deletesFirst(pair.periods, after)).length : 0;
    const wrongCount = new Set(problems.map(({ line }) => line)).size;
    if (wrongCount > 0 && !args.skip)
      throw new CommandError(
        message('process-point:validation.rows', { count: wrongCount, problems: problemsText(problems) }),
        args.file ? 'file' : 'rows',
      );
    return {
      summary: message(`process-point:plan.${args.replace ? 'replace' : 'import'}`, { count: steps.length }),
      count: steps.length,
      changes: args.replace ? changesByPoint(steps, context) : changesByRow(steps, context),
      ...(args.replace
        ? {}
        : {
            comparedChanges: steps.map((step) => ({ ...changeOfPoint([step], context), source: `${step.line}` })),
          }),
      notes: [
        ...notes,
        ...(deletedCount > 0 ? [message('process-point:plan.deletesFirst', { count: deletedCount })] : []),
        ...(unchangedCount > 0
          ? [message('process-point:plan.unchanged.assignDevice', { count: unchangedCount })]
          : []),
        ...(wrongCount > 0
          ? [message('process-point:plan.skips', { count: wrongCount, problems: problemsText(problems) })]
          : []),
      ],
      reversible: true,
    };
  },
  run: async (context, args) => {
    const { steps, problems } = await prepareImport(context, args);
    const forget = safeguardPeriods(context, args.replace ? steps : []);
    const results = await runInBatches(context, {
      items: steps,
      id: ({ line }) => `${line}`,
      label: ({ pair, line }) => `${line}: ${pair.device.label}, ${pair.point.label}`,
      groupKey: callKey(args.replace),
      change: async (chunk, batchContext) => {
        const [{ pair, wanted }] = chunk as [Step];
        const { organization, point } = pair;
        const numbers = chunk.map((step) => step.pair.device.id);
        if (args.replace) {
          const periods = { before: pair.periods, after: wanted };
          return replacePeriods({ ...batchContext, organization }, point.id, numbers, periods);
        }
        await batchContext
          .api(AssignmentService)
          .assign(assignRequest(organization, [point.id], numbers, wanted[0]!, args), { signal: batchContext.signal });
        return undefined;
      },
    });
    forget();
    const skippedRows = problems.map((problem): ItemResult => ({
      id: `${problem.line}`,
      label: `${problem.line}`,
      failure: { code: 'command', message: problemText(problem), retryable: false },
    }));
    const { length: count } = succeededResults({ results });
    const changedLines = new Set(maybeChanged({ results }).map(({ id }) => id));
    const before = new Map(
      steps.filter(({ line }) => changedLines.has(`${line}`)).map(({ pair }) => [pairKey(pair), storedPeriods(pair)]),
    );
    return {
      changed: ['process-point', 'device'],
      results: [...results, ...skippedRows],
      message:
        count === 0
          ? message('common:done.nothing')
          : message(`process-point:done.${args.replace ? 'replace' : 'import'}`, { count }),
      data: { before: [...before.values()] },
    };
  },
  inverse: (_args, { data }) => restoringInvocations((data as { readonly before: readonly StoredPeriods[] }).before),
});

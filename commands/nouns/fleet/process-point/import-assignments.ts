import {
  onlySaves,
  planSave,
  problemResult,
  rejectWrongRows,
  runSave,
  saveOtherRows,
  skipNotes,
} from '#commands/kit/import/problems.ts';
import { tableParams, tableProblem } from '#commands/kit/import/table.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { maybeChanged, succeededResults } from '#commands/model/result.ts';
import { runInBatches } from '#commands/run/batch.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';

import { ASSIGNMENT_ABILITIES } from './assign-device.ts';
import { COLUMNS, createRestoreInvocations, storedPeriods, type StoredPeriods } from './assignment-rows.ts';
import { changeOfPoint, EXPECTED, readImport, type Import, type ImportArgs, type Step } from './import-steps.ts';
import { assignRequest } from './period-requests.ts';
import { periodsChange } from './period-texts.ts';
import { pairKey } from './periods.ts';
import { deletesFirst, replacePeriods, safeguardPeriods } from './replace-periods.ts';

const { file, rows, skip, save } = tableParams({ placeholder: 'device,point,from,until', maxBytes: 200_000 });

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
    file,
    rows,
    override: p.flag(),
    allowDelete: p.flag(),
    replace: p.flag(),
    skip,
    save,
  },
  positional: ['rows'],
  initial: async () => ({ values: {} }),
  problems: (_context, args) => {
    if (args.allowDelete && !args.override)
      return { allowDelete: message('process-point:validation.deleteWithoutOverride') };
    return tableProblem(args, EXPECTED);
  },
  plan: async (context, args) => {
    const read = await prepareImport(context, args);
    const { steps, problems, notes, unchangedCount } = read;
    rejectWrongRows(problems, args);
    if (onlySaves(read, args)) return planSave(problems);
    const deletedCount = args.replace ? steps.filter(({ pair, after }) => deletesFirst(pair.periods, after)).length : 0;
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
        ...skipNotes(problems),
      ],
      reversible: true,
    };
  },
  run: async (context, args) => {
    const read = await prepareImport(context, args);
    const { steps, problems } = read;
    const table = read.table.head.length > 0 ? read.table : { ...read.table, head: COLUMNS };
    if (onlySaves(read, args)) return runSave(context, 'assignments', table, problems);
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
    const { length: count } = succeededResults({ results });
    const changedLines = new Set(maybeChanged({ results }).map(({ id }) => id));
    const before = new Map(
      steps.filter(({ line }) => changedLines.has(`${line}`)).map(({ pair }) => [pairKey(pair), storedPeriods(pair)]),
    );
    const done =
      count === 0
        ? message('common:done.nothing')
        : message(`process-point:done.${args.replace ? 'replace' : 'import'}`, { count });
    return {
      changed: ['process-point', 'device'],
      results: [...results, ...problems.map(problemResult)],
      message: args.save ? await saveOtherRows(context, 'assignments', table, problems, done) : done,
      data: { before: [...before.values()] },
    };
  },
  inverse: (_args, { data }) =>
    createRestoreInvocations((data as { readonly before: readonly StoredPeriods[] } | undefined)?.before ?? []),
});

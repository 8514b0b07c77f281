import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

import { importableParams, type ImportArgs, type ImportSpec } from './columns.ts';
import { toFix } from './problems.ts';
import type { Import } from './read-import.ts';
import { pickRows, tableParams, tableProblem } from './table.ts';

/** The names of columns in the placeholder of a form. */
const EXAMPLE_COLUMNS = 4;

/** Loads the code of an import, which is large and needed only by those who import. */
async function load() {
  const [{ readImport }, { planImport }, { runImport }] = await Promise.all([
    import('./read-import.ts'),
    import('./plan-import.ts'),
    import('./run-import.ts'),
  ]);
  return { readImport, planImport, runImport };
}

/**
 * Declares a command that imports a table: each row creates an item with the noun's own command, or changes the item
 * that it names. The rows are checked before anything changes, and undo reverts all of them together.
 */
export function importCommand(spec: ImportSpec): Command {
  const { entity, create, edit } = spec;
  const columns = [...(create ? [] : [entity.idKey ?? 'id']), ...Object.keys(importableParams(spec))];
  const expected = message('running:import.expected', { columns: columns.join(', ') });
  const commands = [create, edit].flatMap((own) => own ?? []);
  /** The imports by their arguments, so the run does what the plan says, and undo reverts what the run did. */
  const imports = new WeakMap<object, Import>();

  async function prepare(context: Context, args: ImportArgs): Promise<Import> {
    const { readImport } = await load();
    const prepared = imports.get(args) ?? (await readImport(context, spec, args, expected));
    imports.set(args, prepared);
    return prepared;
  }

  return command({
    id: `${entity.name}.import`,
    requires: [...new Set(commands.flatMap(({ requires }) => requires))],
    features: [...new Set([...(entity.features ?? []), ...commands.flatMap(({ features = [] }) => features)])],
    effect: 'write',
    params: {
      ...tableParams({ placeholder: columns.slice(0, EXAMPLE_COLUMNS).join(',') }),
      map: p.pairs(),
    },
    positional: ['rows'],
    // Opens as a form, because there are several ways to give the table.
    initial: async () => ({ values: {} }),
    problems: (_context, args) => tableProblem(args, expected),
    // An import that edits finds what an earlier one created, by its name.
    rows: { pick: pickRows, toFix, isRepeatable: edit !== undefined },
    plan: async (context, args) => {
      const prepared = await prepare(context, args);
      const { planImport } = await load();
      return planImport(prepared, spec, args);
    },
    run: async (context, args) => {
      const prepared = await prepare(context, args);
      const { runImport } = await load();
      const { outcome, inverse } = await runImport(context, prepared, spec, args);
      imports.set(args, { ...prepared, inverse });
      return outcome;
    },
    inverse: (args) => imports.get(args)?.inverse ?? [],
  });
}

import { targetParam } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { resultKind, type ResultKind } from '#commands/model/result.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { message } from '#commands/text/message.ts';
import { directory } from '#src/registry/registry.ts';
import { tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { lastResultsAtom, reportAtom } from '#src/state/work.ts';

import { contextNow } from './context.ts';

/**
 * Shows the result of each item of the last run.
 *
 * @throws CommandError if no run in this organization changed several items
 */
export function showResults(): void {
  store.set(reportAtom, requireResults());
}

/**
 * Selects the items of the last run that have the given result, in the table of their entity.
 *
 * @throws CommandError if there are none
 */
export function selectResults(kind: ResultKind): void {
  const { invocation, outcome } = requireResults();
  const results = (outcome.results ?? []).filter((result) => resultKind(result) === kind);
  const command = directory().command(invocation.id);
  const entity = command && targetParam(command)?.entity;
  if (!entity || results.length === 0) throw new CommandError(message(`running:history.noneWith.${kind}`));
  store.set(reportAtom, undefined);
  const ids = results.map(({ id, renamedTo }) => renamedTo?.id ?? id);
  if (select(entity.name, ids) || !entity.screen) return;
  const stop = store.sub(tableHostAtom, () => {
    if (!store.get(tableHostAtom)) return;
    // Another table means that the user went elsewhere meanwhile.
    stop();
    select(entity.name, ids);
  });
  contextNow().host.navigate?.({ path: entity.screen.path });
}

/** Selects items if the table of their entity is visible. */
function select(entity: string, ids: readonly string[]): boolean {
  const table = store.get(tableHostAtom);
  if (table?.entityName() !== entity) return false;
  table.select({ ids });
  return true;
}

/**
 * Returns the last run with a result for each of several items.
 *
 * @throws CommandError if no run in this organization changed several items
 */
export function requireResults(): CompletedRun {
  const completedRun = store.get(lastResultsAtom);
  if (!completedRun || completedRun.organization !== contextNow().organization.id)
    throw new CommandError(message('running:history.nothingToShow'));
  return completedRun;
}

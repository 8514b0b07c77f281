import { getTextEncoding } from '@bufbuild/protobuf/wire';

import { requireCapability } from '#commands/model/context.ts';
import { failedResults, resultKind } from '#commands/model/result.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { csvLine, csvName } from '#commands/text/csv.ts';
import { message } from '#commands/text/message.ts';
import { translate } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';
import { reportAtom } from '#src/state/work.ts';

import { contextNow } from './context.ts';
import { requireResults } from './results.ts';

/**
 * Saves all results of the report that is open, or else of the last run.
 *
 * @returns the name of the file
 * @throws CommandError if no run in this organization changed several items
 */
export async function saveResults(): Promise<string> {
  const context = contextNow();
  const bytes = getTextEncoding().encodeUtf8(resultsText(store.get(reportAtom) ?? requireResults()));
  const name = csvName('results', context.now());
  return requireCapability(context, 'files').save({ name, mediaType: 'text/csv', bytes });
}

const COLUMNS = ['id', 'label', 'result', 'reason'] as const;

function resultsText({ invocation, fullArgs, outcome }: CompletedRun): string {
  const failures = failedResults(outcome);
  const table = registry().command(invocation.id)?.rows;
  if (table && fullArgs && failures.length > 0) return table.toFix(fullArgs, failures, translate);
  const lines = (outcome.results ?? []).map((result) => [
    result.id,
    result.label,
    translate(message(`app:result.${resultKind(result)}`)),
    result.failure ? translate(result.failure.message) : '',
  ]);
  return [COLUMNS.map((name) => translate(message(`running:report.columns.${name}`))), ...lines]
    .map((cells) => csvLine(cells))
    .join('');
}

import { targetParam, commandLabels, type Command } from '#commands/model/command.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { availability, isHidden } from '#commands/run/availability.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { checkValue } from '#commands/run/values.ts';
import { candidate, type Candidate } from '#commands/text/score.ts';

import { commandIndex } from './command-index.ts';
import type { CommandListing } from './command-rows.ts';
import { matchAlone, matchInContext } from './match-in-context.ts';
import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/** A choice value and the command that sets it. For example, the query `paused` finds "Set lifecycle: Paused". */
interface ValueEntry {
  readonly index: number;
  readonly param: string;
  readonly value: string;
  readonly label: string;
  /** The param's label, if several params of the command accept choices. For example, several units can be metric. */
  readonly paramLabel?: string;
  readonly words: Candidate;
}

const indexes = new WeakMap<Registry, Map<string, readonly ValueEntry[]>>();

/** Lists the values that complete a command apart from its target. Caches them by registry and language. */
function valueEntries(listing: CommandListing): readonly ValueEntry[] {
  const { registry, language, translate } = listing;
  const cached = indexes.get(registry)?.get(language);
  if (cached) return cached;
  const entries = commandIndex(listing).commands.flatMap((command, index) => {
    const choices = Object.entries(command.params).flatMap(([name, param]) =>
      param.kind === 'choice' && completesCommand(command, name, param) ? [{ name, param }] : [],
    );
    return choices.flatMap(({ name, param }): readonly ValueEntry[] => {
      const field = choices.length > 1 ? { paramLabel: translate(commandLabels.param(command, name)) } : {};
      return param.options.map((value) => {
        const label = param.label ? translate(param.label(value)) : value;
        const synonyms = [value.replaceAll('_', ' '), field.paramLabel].filter(
          (text) => text !== undefined && text !== label,
        );
        return { index, param: name, value, label, ...field, words: candidate(label, synonyms.join('\n')) };
      });
    });
  });
  indexes.set(registry, (indexes.get(registry) ?? new Map<string, readonly ValueEntry[]>()).set(language, entries));
  return entries;
}

function completesCommand(command: Command, name: string, param: Param & { readonly kind: 'choice' }): boolean {
  const target = targetParam(command)?.name;
  const [value] = param.options;
  if (value === undefined) return false;
  const otherMissingParams = missingParams(command, { [name]: value }).filter((text) => text !== target);
  // A command with several fields opens as an editor. Only a command for this param alone sets it directly.
  const setsDirectly =
    param.required || (target === undefined && missingParams(command, {}).length === 0 && command.effect === 'write');
  return otherMissingParams.length === 0 && setsDirectly;
}

export function searchValues(query: string, listing: CommandListing): readonly SearchResult<SearchRow>[] {
  const { translate, context } = listing;
  const { commands, titles, candidates } = commandIndex(listing);
  return valueEntries(listing).flatMap(({ index, param, value, label, paramLabel, words }) => {
    const command = commands[index];
    const contextCandidate = candidates[index];
    const shape = command?.params[param];
    if (!command || !contextCandidate || !shape || isHidden(command, context)) return [];
    const namesOtherThings = shape.kind === 'choice' && shape.namesOtherThings === true;
    if (namesOtherThings && matchAlone(words, query)) return [];
    const valueMatch = matchInContext(words, contextCandidate, query);
    if (!valueMatch) return [];
    const title = `${titles[index] ?? command.id}: `;
    const state = availability(command, context);
    const problem = state.ok ? checkValue(shape, value, context) : state.reason.message;
    // Screens that the user can't open are absent everywhere else, too.
    if (problem && namesOtherThings) return [];
    const row: SearchRow = {
      id: `value ${command.id} ${param} ${value}`,
      label: `${title}${label}`,
      ranges: valueMatch.ranges
        .filter(([, to]) => to <= label.length)
        .map(([from, to]) => [from + title.length, to + title.length]),
      ...(paramLabel === undefined ? {} : { detail: paramLabel }),
      ...(problem ? { reason: translate(problem) } : {}),
      invocation: { id: command.id, args: { [param]: value } },
    };
    return [{ kind: 'value', row, score: valueMatch.score }];
  });
}

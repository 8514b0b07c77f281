import { targetParam, texts, type Command } from '#commands/model/command.ts';
import { availability, isHidden } from '#commands/run/availability.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Translate } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { checkValue } from '#commands/run/values.ts';
import { candidate, type Candidate } from '#commands/text/score.ts';

import { commandIndex } from './command-index.ts';
import type { CommandListing } from './command-rows.ts';
import { matchOwn } from './own-words.ts';
import type { Found } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/** A value of a choice with the command that sets it: typing `paused` finds it. */
interface ValueEntry {
  readonly place: number;
  readonly param: string;
  readonly value: string;
  readonly label: string;
  /** Which param it is of, where the command takes several of such values: every unit may be metric. */
  readonly of?: string;
  readonly words: Candidate;
}

const indexes = new WeakMap<Registry, Map<string, readonly ValueEntry[]>>();

/** Made once for a registry and a language: every value that is all a command still needs besides what it acts on. */
function valuesOf(registry: Registry, language: string, say: Translate): readonly ValueEntry[] {
  const known = indexes.get(registry)?.get(language);
  if (known) return known;
  const made = commandIndex(registry, language, say).commands.flatMap((command, place) => {
    const choices = Object.entries(command.params).flatMap(([name, param]) =>
      param.kind === 'choice' && completes(command, name, param) ? [{ name, param }] : [],
    );
    return choices.flatMap(({ name, param }): readonly ValueEntry[] => {
      const field = choices.length > 1 ? { of: say(texts.param(command, name)) } : {};
      return param.options.map((value) => {
        const label = param.label ? say(param.label(value)) : value;
        const others = [value.replaceAll('_', ' '), field.of].filter((text) => text !== undefined && text !== label);
        return { place, param: name, value, label, ...field, words: candidate(label, others.join('\n')) };
      });
    });
  });
  indexes.set(registry, (indexes.get(registry) ?? new Map<string, readonly ValueEntry[]>()).set(language, made));
  return made;
}

function completes(command: Command, name: string, param: Param & { readonly kind: 'choice' }): boolean {
  const target = targetParam(command)?.name;
  const [value] = param.options;
  if (value === undefined) return false;
  const others = missingParams(command, { [name]: value }).filter((text) => text !== target);
  // An editor of many fields is opened as what it is; one that sets this alone is there for it.
  const sets =
    param.required || (target === undefined && missingParams(command, {}).length === 0 && command.effect === 'write');
  return others.length === 0 && sets;
}

export function searchValues(query: string, listing: CommandListing): readonly Found<SearchRow>[] {
  const { registry, language, say, context } = listing;
  const { commands, titles, candidates } = commandIndex(registry, language, say);
  return valuesOf(registry, language, say).flatMap(({ place, param, value, label, of, words }) => {
    const command = commands[place];
    const around = candidates[place];
    const shape = command?.params[param];
    if (!command || !around || !shape || isHidden(command, context)) return [];
    const found = matchOwn(words, around, query);
    if (!found) return [];
    const title = `${titles[place] ?? command.id}: `;
    const state = availability(command, context);
    const problem = state.ok ? checkValue(shape, value, context) : state.reason.message;
    const row: SearchRow = {
      id: `value ${command.id} ${param} ${value}`,
      label: `${title}${label}`,
      ranges: found.ranges
        .filter(([, to]) => to <= label.length)
        .map(([from, to]) => [from + title.length, to + title.length]),
      ...(of === undefined ? {} : { detail: of }),
      ...(problem ? { reason: say(problem) } : {}),
      invocation: { id: command.id, args: { [param]: value } },
    };
    return [{ kind: 'value', row, score: found.score }];
  });
}

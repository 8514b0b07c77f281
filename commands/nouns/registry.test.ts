import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { registry } from './all.ts';
import { GLOBALS } from '#commands/cli/options.ts';
import { isInScope } from '#commands/run/availability.ts';
import { targetParam, texts, type Command } from '#commands/model/command.ts';
import { destinationsOf } from '#commands/registry/destinations.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { editedParams } from '#commands/run/detail-edit.ts';
import { groupTitle } from '#commands/model/detail-groups.ts';
import { optionName, parseArgv, parseLine, printLine, toArgv } from '#commands/line/line.ts';
import { fromSearch, toSearch } from '#commands/line/link.ts';
import type { Message } from '#commands/text/message.ts';
import { pageTexts } from '#commands/model/page.ts';
import { sortTitle } from '#commands/query/sorts.ts';
import * as tabGroups from './tab-groups.ts';
import { createTranslator, hasText, LANGUAGES, translateWith } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';
import { filterKeys } from '#commands/query/keys.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { invocations } from '#commands/testkit/arbitrary.ts';

const commands = registry.commands.map((command) => [command.id, command] as const);
const entities = registry.entities.map((entity) => [entity.name, entity] as const);
const translators = await Promise.all(LANGUAGES.map((item) => createTranslator(item, resources)));

/** The texts that a language and its fallback do not have. */
function missing(message: readonly Message[]): string[] {
  const has = ({ key }: Message): boolean => translators.every((translator) => hasText(translator, key));
  return message.filter((item) => !has(item)).map(({ key }) => key);
}

describe.each(commands)('%s', (_, command) => {
  test('has its texts in every language', () => {
    const params = Object.keys(command.params).map((name) => texts.param(command, name));
    expect(missing([texts.title(command), texts.about(command), ...params])).toEqual([]);
  });

  test('is told about in sentences that do not repeat its title', () => {
    const english = translateWith(translators[0]!);
    const about = english(texts.about(command));
    expect(about).toMatch(/^[A-Z].{10,110}[.]$/);
    expect(about).not.toBe(`${english(texts.title(command))}.`);
  });

  test('is the same as line, as argv and as link', () => {
    fc.assert(
      fc.property(invocations(command), (invocation) => {
        expect(parseLine(printLine(invocation, registry), registry).invocation).toEqual(invocation);
        expect(parseArgv(toArgv(invocation, registry), registry).invocation).toEqual(invocation);
        expect(fromSearch(toSearch(invocation, registry), registry)?.invocation).toEqual(invocation);
      }),
    );
  });

  test('takes at most two arguments without a name, the target first, and no name that every command has', () => {
    const target = targetParam(command);
    expect(command.positional.length).toBeLessThanOrEqual(2);
    expect(command.positional.slice(0, 1)).toEqual(target ? [target.name] : command.positional.slice(0, 1));
    const kinds = command.positional.map((name) => command.params[name]?.kind ?? 'not a param');
    expect(kinds.filter((kind) => kind === 'pairs' || kind === 'not a param')).toEqual([]);
    const named = Object.keys(command.params).filter((name) => !command.positional.includes(name));
    expect(named.map(optionName).filter((name) => Object.hasOwn(GLOBALS, name))).toEqual([]);
  });

  test('says what it would change before it does, when it changes something', () => {
    const writes = command.effect === 'write' || command.effect === 'destructive';
    expect(command.plan !== undefined).toBe(writes);
    expect(command.inverse !== undefined && !writes).toBe(false);
  });
});

describe.each(entities)('%s', (_, noun) => {
  test('has its texts in every language', () => {
    const message = [
      entityTexts.title(noun),
      entityTexts.one(noun),
      ...(noun.emptyHint ? [entityTexts.empty(noun)] : []),
      entityTexts.count(noun, 2),
      ...noun.columns.map(({ id }) => entityTexts.column(noun, id)),
      ...(noun.details ?? []).map(({ id }) => entityTexts.detail(noun, id)),
      ...(noun.details ?? []).map(({ group = 'undeclared' as 'about' }) => groupTitle(group)),
      ...noun.sorts.map((sort) => sortTitle(noun, sort)),
      ...(noun.views ?? []).map(({ id }) => entityTexts.view(noun, id)),
      ...[...(noun.detailTabs ?? []), ...(noun.itemTabs ?? [])].map(({ id }) => entityTexts.detailTab(noun, id)),
      ...(noun.detailTabs ?? []).flatMap(({ narrow = {} }) => Object.values(narrow).map(({ label }) => label)),
      ...Object.keys(noun.filter).map((key) => entityTexts.filterKey(noun, key)),
      ...Object.values(noun.filter).flatMap(({ several }) => several ?? []),
      ...Object.values(noun.filter).flatMap(({ label, options = [] }) => (label ? options.map(label) : [])),
    ];
    expect(missing(message)).toEqual([]);
  });

  test('lists by its plural, has views that parse, columns that sort and details that are edited by a command', () => {
    expect(parseLine(noun.plural, registry).command?.id).toBe(`${noun.name}.list`);
    expect((noun.views ?? []).flatMap((view) => parseFilter(view.filter, noun).problems)).toEqual([]);
    const sorts = noun.columns.flatMap(({ sort }) => sort ?? []);
    expect(sorts.filter((sort) => !noun.sorts.includes(sort))).toEqual([]);
    const edits = (noun.details ?? []).flatMap((detail) => (detail.edit ? [{ ...detail, command: detail.edit }] : []));
    expect(edits.filter((detail) => !registry.command(detail.command)?.on?.()).map(({ id }) => id)).toEqual([]);
    // An editor of many fields is asked for one of them in the place of a detail.
    const asked = edits.map((detail) => ({ detail, of: registry.command(detail.command)! }));
    const all = asked.map(({ detail, of: command }) => ({ command, names: editedParams(command, detail) }));
    expect(all.filter(({ command, names }) => names.some((name) => !command.params[name]))).toEqual([]);
    expect(all.filter(({ names }) => names.length === 0 || names.length > 5)).toEqual([]);
    // What fills an empty tab acts on the item whose tab it is.
    const fillers = (noun.detailTabs ?? []).flatMap(({ filledBy }) => filledBy ?? []);
    expect(fillers.filter((id) => targetParam(registry.command(id)!)?.entity.name !== noun.name)).toEqual([]);
    expect(new Set(filterKeys(noun)).size).toBe(filterKeys(noun).length);
  });

  test('has tabs of items that a filter lists, with columns that these have', () => {
    const wrong = (noun.itemTabs ?? []).filter(({ entity, key, columns }) => {
      const listed = registry.entity(entity);
      const known = listed?.columns.map(({ id }) => id) ?? [];
      return !listed?.filter[key] || columns.length === 0 || columns.some((id) => !known.includes(id));
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
    const tabs = [...(noun.detailTabs ?? []), ...(noun.itemTabs ?? [])].map(({ id }) => id);
    expect(new Set(tabs).size).toBe(tabs.length);
  });
});

describe.each(registry.pages.map((page) => [`${page.noun}.${page.name}`, page] as const))('%s', (id, page) => {
  test('has its texts in every language', () => {
    const message = page.sections.flatMap((section) => [
      pageTexts.section(page, section.id),
      ...(section.hint ? [pageTexts.hint(page, section.id)] : []),
      ...(section.details ?? []).map((detail) => pageTexts.detail(page, detail.id)),
      ...(section.detailTabs ?? []).map((detailTabs) => pageTexts.detailTab(page, detailTabs.id)),
    ]);
    expect(missing([pageTexts.title(page), ...message])).toEqual([]);
  });

  test('is gone to by a command of its name, and actions commands that there are', () => {
    expect(registry.command(id)?.effect).toBe('navigate');
    const offered = page.sections.flatMap(({ actions = [] }) => actions.map(({ command }) => command));
    expect(offered.filter((value) => !registry.command(value))).toEqual([]);
    const empty = page.sections.filter(({ details, detailTabs, actions }) => !details && !detailTabs && !actions);
    expect(empty.map((section) => section.id)).toEqual([]);
  });
});

test('each screen has an address of its own, a way to it, and a group of tabs with a name', () => {
  const destinations = destinationsOf(registry);
  const paths = destinations.flatMap(({ screen }) => [screen.path, ...(screen.aliases ?? [])]);
  expect(new Set(paths).size).toBe(paths.length);
  const lost = destinations.filter(({ screen: { rail, key, tabs } }) => !rail && !key && !tabs);
  expect(lost.map(({ screen }) => screen.path)).toEqual([]);
  expect(missing(Object.values(tabGroups).map(({ title }) => title))).toEqual([]);
});

test('no key does two things, and none waits for a longer one, wherever the focus is', () => {
  const inScope = (entity: AnyEntity | undefined): Command[] =>
    registry.commands.filter((command) => isInScope(command, entity));
  const clashes = [undefined, ...registry.entities].flatMap((scope) => {
    const bound = inScope(scope).flatMap((command) =>
      (command.keys ?? []).map((keys) => ({ keys: keys.split(/\s+/), id: command.id })),
    );
    return bound.flatMap((item, index) =>
      bound
        .slice(index + 1)
        .flatMap((entry) =>
          isPrefix(item.keys, entry.keys) ? [`${item.id} and ${entry.id}: ${item.keys.join(' ')}`] : [],
        ),
    );
  });
  expect([...new Set(clashes)]).toEqual([]);
});

function isPrefix(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).join(' ') === b.slice(0, a.length).join(' ');
}

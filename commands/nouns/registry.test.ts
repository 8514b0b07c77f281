import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { GLOBALS } from '#commands/cli/options.ts';
import * as resources from '#commands/cli/strings.ts';
import { createExample } from '#commands/line/examples.ts';
import { optionName, parseArgv, parseLine, printLine, toArgv } from '#commands/line/line.ts';
import { fromSearch, toSearch } from '#commands/line/link.ts';
import { createTranslator, hasText, labelKey, LANGUAGES, translateWith } from '#commands/locales/i18n.ts';
import { targetParam, commandLabels } from '#commands/model/command.ts';
import { groupTitle } from '#commands/model/detail-groups.ts';
import { entityLabels } from '#commands/model/entity.ts';
import { pageLabels } from '#commands/model/page.ts';
import { filterKeys } from '#commands/query/keys.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { sortTitle } from '#commands/query/sorts.ts';
import { listDestinations } from '#commands/registry/destinations.ts';
import { editedParams } from '#commands/run/detail-edit.ts';
import { invocations } from '#commands/testkit/arbitrary.ts';
import { testContext } from '#commands/testkit/context.ts';
import type { Message } from '#commands/text/message.ts';

import { registry } from './all.ts';
import * as tabGroups from './tab-groups.ts';

const commands = registry.commands.map((command) => [command.id, command] as const);
const entities = registry.entities.map((entity) => [entity.name, entity] as const);
const translators = await Promise.all(LANGUAGES.map((language) => createTranslator(language, resources)));

/** Returns the keys that have no translation in some language or its fallback. */
function missingKeys(messages: readonly Message[]): string[] {
  const has = ({ key }: Message): boolean => translators.every((translator) => hasText(translator, key));
  return [...new Set(messages.filter((item) => !has(item)).map(({ key }) => labelKey(key)))];
}

describe.each(commands)('%s', (_, command) => {
  test('has a translation for every key', () => {
    const params = Object.keys(command.params).map((name) => commandLabels.param(command, name));
    const messages = [commandLabels.title(command), commandLabels.about(command), ...(command.derivedMessages ?? [])];
    expect(missingKeys([...messages, ...params])).toEqual([]);
  });

  test('has a description that does not repeat its title', () => {
    const english = translateWith(translators[0]!);
    const about = english(commandLabels.about(command));
    expect(about).toMatch(/^[A-Z].{10,110}[.]$/);
    expect(about).not.toBe(`${english(commandLabels.title(command))}.`);
  });

  test('round-trips through line, argv, and link', () => {
    fc.assert(
      fc.property(invocations(command), (invocation) => {
        expect(parseLine(printLine(invocation, registry), registry).invocation).toEqual(invocation);
        expect(parseArgv(toArgv(invocation, registry), registry).invocation).toEqual(invocation);
        expect(fromSearch(toSearch(invocation, registry), registry)?.invocation).toEqual(invocation);
      }),
    );
  });

  test('takes at most two positional arguments, the target first', () => {
    const target = targetParam(command);
    expect(command.positional.length).toBeLessThanOrEqual(2);
    expect(command.positional.slice(0, 1)).toEqual(target ? [target.name] : command.positional.slice(0, 1));
    const kinds = command.positional.map((name) => command.params[name]?.kind ?? 'not a param');
    expect(kinds.filter((kind) => kind === 'pairs' || kind === 'not a param')).toEqual([]);
    const options = Object.keys(command.params).filter((name) => !command.positional.includes(name));
    expect(options.map(optionName).filter((name) => Object.hasOwn(GLOBALS, name))).toEqual([]);
  });

  test('has a plan if and only if it changes something', () => {
    const writes = command.effect === 'write' || command.effect === 'destructive';
    expect(command.plan !== undefined).toBe(writes);
    expect(command.inverse !== undefined && !writes).toBe(false);
  });

  test('has an example that parses back, and whose values its params accept', () => {
    const example = createExample(command);
    expect(parseLine(printLine(example, registry), registry)).toMatchObject({ invocation: example, problems: [] });
    const rejected = Object.entries(command.params).filter(([name, param]) => {
      const value = example.args[name];
      if (value === undefined) return false;
      return param.kind === 'text'
        ? param.check?.(value as string, testContext())
        : param.kind === 'words' && param.check?.(value as readonly string[], testContext());
    });
    expect(rejected.map(([name]) => [name, example.args[name]])).toEqual([]);
  });
});

describe.each(entities)('%s', (_, entity) => {
  test('has a translation for every key', () => {
    const messages = [
      entityLabels.title(entity),
      entityLabels.one(entity),
      ...(entity.emptyHint ? [entityLabels.empty(entity)] : []),
      entityLabels.count(entity, 2),
      ...entity.columns.map((column) => entityLabels.column(entity, column)),
      ...(entity.details ?? []).map(({ id }) => entityLabels.detail(entity, id)),
      ...(entity.details ?? []).map(({ group = 'undeclared' as 'about' }) => groupTitle(group)),
      ...entity.sorts.map((sort) => sortTitle(entity, sort)),
      ...(entity.views ?? []).map(({ id }) => entityLabels.view(entity, id)),
      ...[...(entity.detailTabs ?? []), ...(entity.itemTabs ?? [])].map(({ id }) => entityLabels.detailTab(entity, id)),
      ...(entity.detailTabs ?? []).flatMap(({ filters = {} }) => Object.values(filters).map(({ label }) => label)),
      ...Object.keys(entity.filter).map((key) => entityLabels.filterKey(entity, key)),
      ...Object.values(entity.filter).flatMap(({ pluralMessage }) => pluralMessage ?? []),
      ...Object.values(entity.filter).flatMap(({ label, options = [] }) => (label ? options.map(label) : [])),
    ];
    expect(missingKeys(messages)).toEqual([]);
  });

  test('shows a hint for an empty list, if it declares one', () => {
    const [english] = translators;
    expect(entity.emptyHint ?? false).toBe(hasText(english!, entityLabels.empty(entity).key));
  });

  test('has a list command named after its plural, and valid views and sorts', () => {
    expect(parseLine(entity.plural, registry).command?.id).toBe(`${entity.name}.list`);
    expect((entity.views ?? []).flatMap((view) => parseFilter(view.filter, entity).problems)).toEqual([]);
    const sorts = entity.columns.flatMap(({ sort }) => sort ?? []);
    expect(sorts.filter((sort) => !entity.sorts.includes(sort))).toEqual([]);
    const edits = (entity.details ?? []).flatMap((detail) =>
      detail.edit ? [{ ...detail, command: detail.edit }] : [],
    );
    expect(edits.filter((detail) => !registry.command(detail.command)?.on?.()).map(({ id }) => id)).toEqual([]);
    // The panel edits a detail in place with up to five params of its command.
    const editors = edits.map((detail) => {
      const command = registry.command(detail.command)!;
      return { id: command.id, params: command.params, names: editedParams(command, detail) };
    });
    const unknown = editors.flatMap(({ id, params, names }) =>
      names.filter((name) => !params[name]).map((name) => `${id} has no ${name}`),
    );
    expect(unknown).toEqual([]);
    expect(editors.filter(({ names }) => names.length === 0 || names.length > 5).map(({ id }) => id)).toEqual([]);
    expect(new Set(filterKeys(entity)).size).toBe(filterKeys(entity).length);
  });

  test('has item tabs with valid filters and columns', () => {
    const invalid = (entity.itemTabs ?? []).filter(({ entity: listedName, key, columns }) => {
      const listedEntity = registry.entity(listedName);
      const columnIds = listedEntity?.columns.map(({ id }) => id) ?? [];
      return !listedEntity?.filter[key] || columns.length === 0 || columns.some((id) => !columnIds.includes(id));
    });
    expect(invalid.map(({ id }) => id)).toEqual([]);
    const tabs = [...(entity.detailTabs ?? []), ...(entity.itemTabs ?? [])].map(({ id }) => id);
    expect(new Set(tabs).size).toBe(tabs.length);
  });
});

describe.each(registry.pages.map((page) => [`${page.noun}.${page.name}`, page] as const))('%s', (id, page) => {
  test('has a translation for every key', () => {
    const messages = page.sections.flatMap((section) => [
      pageLabels.section(page, section.id),
      ...(section.hint ? [pageLabels.hint(page, section.id)] : []),
      ...(section.details ?? []).map((detail) => pageLabels.detail(page, detail.id)),
      ...(section.detailTabs ?? []).map((tab) => pageLabels.detailTab(page, tab.id)),
    ]);
    expect(missingKeys([pageLabels.title(page), ...messages])).toEqual([]);
  });

  test('is opened by the command of the same name and offers only existing commands', () => {
    expect(registry.command(id)?.effect).toBe('navigate');
    const commandIds = page.sections.flatMap(({ actions = [] }) => actions.map(({ command }) => command));
    expect(commandIds.filter((value) => !registry.command(value))).toEqual([]);
    const emptySections = page.sections.filter(
      ({ details, detailTabs, actions }) => !details && !detailTabs && !actions,
    );
    expect(emptySections.map((section) => section.id)).toEqual([]);
  });
});

test('every screen has a unique path, a way to reach it, and a titled tab group', () => {
  const destinations = listDestinations(registry);
  const paths = destinations.flatMap(({ screen }) => [screen.path, ...(screen.aliases ?? [])]);
  expect(new Set(paths).size).toBe(paths.length);
  const unreachable = destinations.filter(({ screen: { rail, key, tabs } }) => !rail && !key && !tabs);
  expect(unreachable.map(({ screen }) => screen.path)).toEqual([]);
  expect(missingKeys(Object.values(tabGroups).map(({ title }) => title))).toEqual([]);
});

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

const commands = registry.commands.map((of) => [of.id, of] as const);
const entities = registry.entities.map((of) => [of.name, of] as const);
const translators = await Promise.all(LANGUAGES.map((each) => createTranslator(each, resources)));

/** The texts that a language and its fallback do not have. */
function missing(message: readonly Message[]): string[] {
  const has = ({ key }: Message): boolean => translators.every((each) => hasText(each, key));
  return message.filter((each) => !has(each)).map(({ key }) => key);
}

describe.each(commands)('%s', (_, of) => {
  test('has its texts in every language', () => {
    const params = Object.keys(of.params).map((name) => texts.param(of, name));
    expect(missing([texts.title(of), texts.about(of), ...params])).toEqual([]);
  });

  test('is told about in sentences that do not repeat its title', () => {
    const english = translateWith(translators[0]!);
    const about = english(texts.about(of));
    expect(about).toMatch(/^[A-Z].{10,110}[.]$/);
    expect(about).not.toBe(`${english(texts.title(of))}.`);
  });

  test('is the same as line, as argv and as link', () => {
    fc.assert(
      fc.property(invocations(of), (invocation) => {
        expect(parseLine(printLine(invocation, registry), registry).invocation).toEqual(invocation);
        expect(parseArgv(toArgv(invocation, registry), registry).invocation).toEqual(invocation);
        expect(fromSearch(toSearch(invocation, registry), registry)?.invocation).toEqual(invocation);
      }),
    );
  });

  test('takes at most two arguments without a name, the target first, and no name that every command has', () => {
    const target = targetParam(of);
    expect(of.positional.length).toBeLessThanOrEqual(2);
    expect(of.positional.slice(0, 1)).toEqual(target ? [target.name] : of.positional.slice(0, 1));
    const kinds = of.positional.map((name) => of.params[name]?.kind ?? 'not a param');
    expect(kinds.filter((kind) => kind === 'pairs' || kind === 'not a param')).toEqual([]);
    const named = Object.keys(of.params).filter((name) => !of.positional.includes(name));
    expect(named.map(optionName).filter((name) => Object.hasOwn(GLOBALS, name))).toEqual([]);
  });

  test('says what it would change before it does, when it changes something', () => {
    const writes = of.effect === 'write' || of.effect === 'destructive';
    expect(of.plan !== undefined).toBe(writes);
    expect(of.inverse !== undefined && !writes).toBe(false);
  });
});

describe.each(entities)('%s', (_, of) => {
  test('has its texts in every language', () => {
    const message = [
      entityTexts.title(of),
      entityTexts.one(of),
      ...(of.emptyHint ? [entityTexts.empty(of)] : []),
      entityTexts.count(of, 2),
      ...of.columns.map(({ id }) => entityTexts.column(of, id)),
      ...(of.details ?? []).map(({ id }) => entityTexts.detail(of, id)),
      ...(of.details ?? []).map(({ group = 'undeclared' as 'about' }) => groupTitle(group)),
      ...of.sorts.map((sort) => sortTitle(of, sort)),
      ...(of.views ?? []).map(({ id }) => entityTexts.view(of, id)),
      ...[...(of.detailTabs ?? []), ...(of.itemTabs ?? [])].map(({ id }) => entityTexts.detailTab(of, id)),
      ...(of.detailTabs ?? []).flatMap(({ narrow = {} }) => Object.values(narrow).map(({ label }) => label)),
      ...Object.keys(of.filter).map((key) => entityTexts.filterKey(of, key)),
      ...Object.values(of.filter).flatMap(({ several }) => several ?? []),
      ...Object.values(of.filter).flatMap(({ label, options = [] }) => (label ? options.map(label) : [])),
    ];
    expect(missing(message)).toEqual([]);
  });

  test('lists by its plural, has views that parse, columns that sort and details that are edited by a command', () => {
    expect(parseLine(of.plural, registry).command?.id).toBe(`${of.name}.list`);
    expect((of.views ?? []).flatMap((view) => parseFilter(view.filter, of).problems)).toEqual([]);
    const sorts = of.columns.flatMap(({ sort }) => sort ?? []);
    expect(sorts.filter((sort) => !of.sorts.includes(sort))).toEqual([]);
    const edits = (of.details ?? []).flatMap((detail) => (detail.edit ? [{ ...detail, command: detail.edit }] : []));
    expect(edits.filter((detail) => !registry.command(detail.command)?.on?.()).map(({ id }) => id)).toEqual([]);
    // An editor of many fields is asked for one of them in the place of a detail.
    const asked = edits.map((detail) => ({ detail, of: registry.command(detail.command)! }));
    const all = asked.map(({ detail, of: command }) => ({ command, names: editedParams(command, detail) }));
    expect(all.filter(({ command, names }) => names.some((name) => !command.params[name]))).toEqual([]);
    expect(all.filter(({ names }) => names.length === 0 || names.length > 5)).toEqual([]);
    // What fills an empty tab acts on the item whose tab it is.
    const fillers = (of.detailTabs ?? []).flatMap(({ filledBy }) => filledBy ?? []);
    expect(fillers.filter((id) => targetParam(registry.command(id)!)?.entity.name !== of.name)).toEqual([]);
    expect(new Set(filterKeys(of)).size).toBe(filterKeys(of).length);
  });

  test('has tabs of items that a filter lists, with columns that these have', () => {
    const wrong = (of.itemTabs ?? []).filter(({ entity, key, columns }) => {
      const listed = registry.entity(entity);
      const known = listed?.columns.map(({ id }) => id) ?? [];
      return !listed?.filter[key] || columns.length === 0 || columns.some((id) => !known.includes(id));
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
    const tabs = [...(of.detailTabs ?? []), ...(of.itemTabs ?? [])].map(({ id }) => id);
    expect(new Set(tabs).size).toBe(tabs.length);
  });
});

describe.each(registry.pages.map((of) => [`${of.noun}.${of.name}`, of] as const))('%s', (id, of) => {
  test('has its texts in every language', () => {
    const message = of.sections.flatMap((section) => [
      pageTexts.section(of, section.id),
      ...(section.hint ? [pageTexts.hint(of, section.id)] : []),
      ...(section.details ?? []).map((detail) => pageTexts.detail(of, detail.id)),
      ...(section.detailTabs ?? []).map((detailTabs) => pageTexts.detailTab(of, detailTabs.id)),
    ]);
    expect(missing([pageTexts.title(of), ...message])).toEqual([]);
  });

  test('is gone to by a command of its name, and actions commands that there are', () => {
    expect(registry.command(id)?.effect).toBe('navigate');
    const offered = of.sections.flatMap(({ actions = [] }) => actions.map(({ command }) => command));
    expect(offered.filter((each) => !registry.command(each))).toEqual([]);
    const empty = of.sections.filter(({ details, detailTabs, actions }) => !details && !detailTabs && !actions);
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
  const inScope = (of: AnyEntity | undefined): Command[] => registry.commands.filter((each) => isInScope(each, of));
  const clashes = [undefined, ...registry.entities].flatMap((scope) => {
    const bound = inScope(scope).flatMap((of) =>
      (of.keys ?? []).map((keys) => ({ keys: keys.split(/\s+/), id: of.id })),
    );
    return bound.flatMap((one, at) =>
      bound
        .slice(at + 1)
        .flatMap((other) =>
          isPrefix(one.keys, other.keys) ? [`${one.id} and ${other.id}: ${one.keys.join(' ')}`] : [],
        ),
    );
  });
  expect([...new Set(clashes)]).toEqual([]);
});

function isPrefix(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).join(' ') === other.slice(0, one.length).join(' ');
}

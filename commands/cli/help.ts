import stringWidth from 'string-width';

import { createExample } from '#commands/line/examples.ts';
import { leadingCommand } from '#commands/line/line-head.ts';
import { printLine } from '#commands/line/line.ts';
import { shellQuote, splitWords } from '#commands/line/shell.ts';
import { argumentForm, describeArgument, printUsage } from '#commands/line/usage.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { Param } from '#commands/model/kinds.ts';
import { filterKeys, RESERVED } from '#commands/query/keys.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Translate } from '#commands/text/message.ts';

import { isBuiltIn, BUILT_IN, type BuiltInCommand } from './built-in.ts';
import { EXIT } from './io.ts';
import { GLOBALS } from './options.ts';
import { wrapLines } from './table.ts';
import { runsInTerminal } from './terminal-commands.ts';
import { terminalTitle } from './terminal-titles.ts';

type Rows = readonly (readonly [string, string])[];

/** Generates the help for the program, a noun, or a command from the declarations. */
export class Help {
  private readonly registry: Registry;
  private readonly translate: Translate;
  private readonly program: string;
  private readonly width: number;

  /** @param width the maximum number of columns, which only a longer word may exceed */
  constructor(registry: Registry, translate: Translate, program: string, width = 100) {
    this.registry = registry;
    this.translate = translate;
    this.program = program;
    this.width = width;
  }

  /**
   * Returns the help for a command or a noun, or the general help if there are no words. Undefined if no terminal
   * command has that name.
   */
  about(words: readonly string[]): string | undefined {
    const [noun, verb] = words;
    if (noun === undefined) return this.overview();
    if (isBuiltIn(noun)) return this.builtIn(noun);
    const command = leadingCommand(splitWords(words.map(shellQuote).join(' ')).words, this.registry)?.command;
    if (command && runsInTerminal(command)) return this.command(command);
    if (verb !== undefined) return undefined;
    const commands = this.registry.commands.filter((item) => item.noun === noun && runsInTerminal(item));
    return commands.length > 0 ? this.noun(noun, commands) : undefined;
  }

  private overview(): string {
    const commands = this.registry.commands.filter(runsInTerminal);
    const rows = [...new Set(commands.map((command) => command.noun))].map((noun): readonly [string, string] => {
      const verbs = commands.filter((command) => command.noun === noun).map((command) => command.verb);
      return [noun, verbs.join(', ')];
    });
    const codes: Rows = Object.entries(EXIT).map(([name, code]) => [`${code}`, this.text(`exit.${name}`)]);
    const variables = ['QUARTERDECK_SERVER', 'QUARTERDECK_TOKEN', 'QUARTERDECK_ORG', 'NO_COLOR'];
    return this.page([
      [
        this.text('usage'),
        [
          [`${this.program} NOUN VERB [ARGUMENTS] [OPTIONS]`, ''],
          [`${this.program} devices 'health:ERROR'`, ''],
        ],
      ],
      [this.text('nouns'), [...rows, ...BUILT_IN.map((name) => [name, this.text(`own.${name}`)] as const)]],
      [this.text('options'), this.globals()],
      [this.text('environment'), variables.map((name) => [name, this.text(`env.${name}`)])],
      [this.text('exitCodes'), codes],
    ]);
  }

  private builtIn(name: BuiltInCommand): string {
    return `${this.text(`own.${name}`)}\n\n${this.page([
      [this.text('usage'), [[`${this.program} ${name} [OPTIONS]`, '']]],
      [this.text('options'), this.globals()],
    ])}`;
  }

  private noun(noun: string, commands: readonly Command[]): string {
    const rows = commands.map((command): readonly [string, string] => [
      printUsage(command, this.registry),
      this.translate(terminalTitle(command, this.registry)),
    ]);
    return this.page([
      [this.text('commands'), rows],
      [this.text('more'), [[`${this.program} ${noun} VERB --help`, '']]],
    ]);
  }

  private command(command: Command): string {
    const params = Object.entries(command.params);
    const entities = params.flatMap(([, param]) => ('entity' in param && hasFilter(param) ? [param.entity()] : []));
    const heading = [terminalTitle(command, this.registry), commandLabels.about(command)].flatMap((text) =>
      wrapLines(this.translate(text), this.width),
    );
    return `${heading.join('\n')}\n\n${this.page([
      [this.text('usage'), [[`${this.program} ${printUsage(command, this.registry)}`, '']]],
      [
        this.text('arguments'),
        params.map(([name, param]) => [
          argumentForm(command, name, param),
          describeArgument(command, name, param, this.translate),
        ]),
      ],
      ...[...new Set(entities)].map(
        (entity) =>
          [
            this.translate({ key: 'core:cli.help.filter', values: { entity: entityLabels.many(entity) } }),
            this.filter(entity),
          ] as const,
      ),
      [this.text('options'), this.globals()],
      [this.text('example'), [[`${this.program} ${printLine(createExample(command), this.registry)}`, '']]],
    ])}`;
  }

  private filter(entity: AnyEntity): Rows {
    const rows = filterKeys(entity).map((key): readonly [string, string] => {
      const definition = entity.filter[key];
      if (!definition) return [`${key}:`, reservedValues(entity, key).join(', ')];
      const description = this.translate(entityLabels.filterKey(entity, key));
      if (definition.kind === 'time') return [`${key}:`, `${description}: ${this.text('time')}`];
      return [`${key}:`, definition.options ? `${description}: ${definition.options.join(', ')}` : description];
    });
    return rows;
  }

  private globals(): Rows {
    return Object.entries(GLOBALS).map(([name, option]) => [
      `--${name}${'value' in option ? ` ${option.value}` : ''}`,
      this.text(`global.${name}`),
    ]);
  }

  private text(key: string): string {
    return this.translate({ key: `core:cli.help.${key}` });
  }

  private page(sections: readonly (readonly [string, Rows])[]): string {
    return sections
      .filter(([, rows]) => rows.length > 0)
      .map(([head, rows]) => `${head}:\n${alignRows(rows, this.width)}`)
      .join('\n');
  }
}

/** Lists the values that `sort:`, `group:`, and `view:` accept. */
function reservedValues(entity: AnyEntity, key: string): readonly string[] {
  if (key === RESERVED.sort) return entity.sorts;
  return key === RESERVED.group ? (entity.groups ?? []) : (entity.views ?? []).map((view) => view.id);
}

function hasFilter(param: Param): boolean {
  return param.kind === 'many' || param.kind === 'query';
}

/** Maximum width of the left column. A longer entry gets its own line. */
const MAX_LEFT_WIDTH = 34;

function alignRows(rows: Rows, width: number): string {
  const leftWidth = Math.min(MAX_LEFT_WIDTH, Math.max(...rows.map(([name]) => stringWidth(name))));
  const indent = `\n${' '.repeat(leftWidth + 4)}`;
  return rows
    .map(([name, text]) => {
      if (text === '') return `  ${name}\n`;
      const gap = stringWidth(name) > leftWidth ? indent : ' '.repeat(leftWidth + 2 - stringWidth(name));
      return `  ${name}${gap}${wrapLines(text, width - leftWidth - 4).join(indent)}\n`;
    })
    .join('');
}

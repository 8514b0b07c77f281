import { texts, type Command } from '#commands/model/command.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { printLine } from '#commands/line/line.ts';
import type { Translate } from '#commands/text/message.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { filterKeys, RESERVED } from '#commands/query/keys.ts';
import { exampleOf } from './examples.ts';
import { argumentForm, describeArgument, usageOf } from './forms.ts';
import { runsHere } from './here.ts';
import { EXIT } from './io.ts';
import { GLOBALS } from './options.ts';
import { isOwn, OWN, type OwnCommand } from './own.ts';
import { displayWidth, wrapped } from './table.ts';
import { titleHere } from './titles.ts';

type Rows = readonly (readonly [string, string])[];

/** Help at every level, made from the declarations alone. */
export class Help {
  private readonly registry: Registry;
  private readonly say: Translate;
  private readonly program: string;
  private readonly width: number;

  /** @param width columns to keep within, where words allow it */
  constructor(registry: Registry, say: Translate, program: string, width = 100) {
    this.registry = registry;
    this.say = say;
    this.program = program;
    this.width = width;
  }

  /**
   * Help about what the words name: a command, a noun, or everything; undefined where they name nothing that works
   * here.
   */
  about(words: readonly string[]): string | undefined {
    const [noun, verb = ''] = words;
    if (noun === undefined) return this.all();
    if (isOwn(noun)) return this.own(noun);
    const plural = this.registry.entities.find((entity) => entity.plural === noun);
    const of = this.registry.command(`${noun}.${verb}`) ?? (plural && this.registry.command(`${plural.name}.list`));
    if (of && runsHere(of)) return this.command(of);
    const verbs = this.registry.commands.filter((command) => command.noun === noun && runsHere(command));
    return verbs.length > 0 ? this.noun(noun, verbs) : undefined;
  }

  private all(): string {
    const commands = this.registry.commands.filter(runsHere);
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
      [this.text('nouns'), [...rows, ...OWN.map((name) => [name, this.text(`own.${name}`)] as const)]],
      [this.text('options'), this.globals()],
      [this.text('environment'), variables.map((name) => [name, this.text(`env.${name}`)])],
      [this.text('exitCodes'), codes],
    ]);
  }

  private own(name: OwnCommand): string {
    return `${this.text(`own.${name}`)}\n\n${this.page([
      [this.text('usage'), [[`${this.program} ${name} [OPTIONS]`, '']]],
      [this.text('options'), this.globals()],
    ])}`;
  }

  private noun(noun: string, commands: readonly Command[]): string {
    const rows = commands.map((command): readonly [string, string] => [
      usageOf(command, this.registry),
      this.say(titleHere(command, this.registry)),
    ]);
    return this.page([
      [this.text('commands'), rows],
      [this.text('more'), [[`${this.program} ${noun} VERB --help`, '']]],
    ]);
  }

  private command(action: Command): string {
    const params = Object.entries(action.params);
    const entities = params.flatMap(([, param]) => ('entity' in param && hasFilter(param) ? [param.entity()] : []));
    return `${this.say(titleHere(action, this.registry))}\n${this.say(texts.about(action))}\n\n${this.page([
      [this.text('usage'), [[`${this.program} ${usageOf(action, this.registry)}`, '']]],
      [
        this.text('arguments'),
        params.map(([name, param]) => [
          argumentForm(action, name, param),
          describeArgument(action, name, param, this.say),
        ]),
      ],
      ...[...new Set(entities)].map(
        (entity) =>
          [
            this.say({ key: 'core:cli.help.filter', values: { entity: entityTexts.many(entity) } }),
            this.filter(entity),
          ] as const,
      ),
      [this.text('options'), this.globals()],
      [this.text('example'), [[`${this.program} ${printLine(exampleOf(action), this.registry)}`, '']]],
    ])}`;
  }

  private filter(entity: AnyEntity): Rows {
    const rows = filterKeys(entity).map((key): readonly [string, string] => {
      const declared = entity.filter[key];
      if (!declared) return [`${key}:`, reservedValues(entity, key).join(', ')];
      const about = this.say(entityTexts.filterKey(entity, key));
      return [`${key}:`, declared.options ? `${about}: ${declared.options.join(', ')}` : about];
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
    return this.say({ key: `core:cli.help.${key}` });
  }

  private page(sections: readonly (readonly [string, Rows])[]): string {
    return sections
      .filter(([, rows]) => rows.length > 0)
      .map(([head, rows]) => `${head}:\n${aligned(rows, this.width)}`)
      .join('\n');
  }
}

/** What `sort:`, `group:` and `view:` take. */
function reservedValues(entity: AnyEntity, key: string): readonly string[] {
  if (key === RESERVED.sort) return entity.sorts;
  return key === RESERVED.group ? (entity.groups ?? []) : (entity.views ?? []).map((view) => view.id);
}

function hasFilter(param: Param): boolean {
  return param.kind === 'many' || param.kind === 'query';
}

/** The widest left column that others align to; a longer one stands on a line of its own. */
const LEFT = 34;

function aligned(rows: Rows, width: number): string {
  const left = Math.min(LEFT, Math.max(...rows.map(([name]) => displayWidth(name))));
  const indent = `\n${' '.repeat(left + 4)}`;
  return rows
    .map(([name, text]) => {
      if (text === '') return `  ${name}\n`;
      const gap = displayWidth(name) > left ? indent : ' '.repeat(left + 2 - displayWidth(name));
      return `  ${name}${gap}${wrapped(text, width - left - 4).join(indent)}\n`;
    })
    .join('');
}

import type { ArgValue, Kind } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { message, type Message } from '#commands/text/message.ts';
import { printList } from '#commands/text/quotes.ts';

import { commandWords, findCommand, unknownOption, type LineWord } from './line-head.ts';
import { literals, type ParseResult } from './literals.ts';
import { shellQuote, splitWords, type Word } from './shell.ts';

/** A problem with part of a line. Positions are offsets into the line. */
export interface LineProblem {
  readonly from: number;
  readonly to: number;
  readonly message: Message;
  readonly param?: string;
}

/** A line that was parsed as far as possible. The palette completes the rest. */
export interface ParsedLine {
  /** Set if the line is valid. A required argument may still be missing: see `missingParams`. */
  readonly invocation?: Invocation;
  readonly command?: Command;
  /** The valid arguments. */
  readonly args: Args;
  readonly words: readonly LineWord[];
  readonly problems: readonly LineProblem[];
}

/** Reads the input that `-` or `@file` refers to. Returns a problem if it cannot be read. */
export type ReadInput = (source: string) => string | { readonly problem: Message };

/** Returns the option for a param: `dry-run` for `dryRun`. */
export function optionName(param: string): string {
  return param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

type AnyLiteral = {
  print(value: ArgValue, param: Param): readonly string[];
  parse(inputs: readonly string[], param: Param): ParseResult<ArgValue>;
};

function literal(kind: Kind): AnyLiteral {
  return literals[kind] as AnyLiteral;
}

/** Formats a value for a line and for the palette's chips. */
export function printValue(param: Param, value: ArgValue): string {
  return literal(param.kind).print(value, param).join(' ');
}

/** Parses one typed value. */
export function parseValue(param: Param, text: string): ParseResult<ArgValue> {
  return parseValues(param, [text]);
}

/** Parses the texts of a param that a line can repeat, such as pairs. */
export function parseValues(param: Param, inputs: readonly string[]): ParseResult<ArgValue> {
  return literal(param.kind).parse(inputs, param);
}

/**
 * Prints an invocation as a canonical line, which a shell runs unchanged after `npx quarterdeck`. Secrets become
 * `@ask`.
 */
export function printLine(invocation: Invocation, registry: Registry): string {
  return toArgv(invocation, registry).map(shellQuote).join(' ');
}

/**
 * Returns the words of {@link printLine}, unquoted.
 *
 * @throws RangeError if the registry does not have the command
 */
export function toArgv({ id, args }: Invocation, registry: Registry): readonly string[] {
  const command = registry.command(id);
  if (!command) throw new RangeError(`Unknown command "${id}".`);
  const positional: string[] = [];
  for (const name of command.positional) {
    const text = args[name] === undefined ? undefined : inputsOf(command, name, args)[0];
    // The parser would mistake this value for an option, so write this and all later arguments by name.
    if (text === undefined || text.startsWith('--')) break;
    positional.push(text);
  }
  const namedParams = Object.keys(command.params).filter(
    (name) => args[name] !== undefined && !command.positional.slice(0, positional.length).includes(name),
  );
  return [
    ...commandWords(command, registry),
    ...positional,
    ...namedParams.flatMap((name) => optionWords(command, name, args)),
  ];
}

function inputsOf(command: Command, name: string, args: Args): readonly string[] {
  const param = command.params[name];
  const value = args[name];
  return param && value !== undefined ? literal(param.kind).print(value, param) : [];
}

function optionWords(command: Command, name: string, args: Args): readonly string[] {
  const option = `--${optionName(name)}`;
  const value = args[name];
  if (typeof value === 'boolean') return [value ? option : `--no-${optionName(name)}`];
  const inputs = inputsOf(command, name, args);
  if (inputs.length === 0) return [option, ''];
  return inputs.flatMap((text) => (text.startsWith('--') ? [`${option}=${text}`] : [option, text]));
}

/** Parses a line. Never throws. The result contains the problems with their positions. */
export function parseLine(line: string, registry: Registry): ParsedLine {
  const { words, unclosedAt } = splitWords(line);
  const parsedLine = parseWords(words, registry);
  if (unclosedAt === undefined) return parsedLine;
  const problem = {
    from: unclosedAt,
    to: line.length,
    message: message('running:line.quote', { position: unclosedAt + 1 }),
  };
  return { ...parsedLine, invocation: undefined, problems: [problem, ...parsedLine.problems] };
}

/**
 * Parses words that a shell has already split. Positions are offsets into the line that the words form, quoted as in
 * {@link printLine}. `localWords` are nouns and options that only the terminal accepts, and are suggested for
 * misspelled words.
 */
export function parseArgv(
  argv: readonly string[],
  registry: Registry,
  input?: ReadInput,
  localWords: readonly string[] = [],
): ParsedLine {
  let next = 0;
  const words = argv.map((text): Word => {
    const from = next;
    next += shellQuote(text).length + 1;
    return { text, from, to: next - 1 };
  });
  return parseWords(words, registry, input, localWords);
}

function parseWords(
  words: readonly Word[],
  registry: Registry,
  input?: ReadInput,
  localWords: readonly string[] = [],
): ParsedLine {
  const isOption = (word: string): boolean => word.startsWith('--');
  const nouns = localWords.filter((word) => !isOption(word));
  const head = findCommand(words, registry, nouns);
  if (!('command' in head)) {
    const { from, to } = head.word ?? { from: 0, to: 0 };
    const headWords = words
      .map((word): LineWord => ({ ...word, role: word === head.word ? 'wrong' : 'noun' }))
      .slice(0, head.wordCount);
    return { args: {}, words: headWords, problems: [{ from, to, message: head.message }] };
  }
  const reader = new ArgumentReader(head.command, head.words, input, localWords.filter(isOption));
  return reader.read(words.slice(head.words.length));
}

/** Assigns the words after a command to its params, then parses the words of each param. */
class ArgumentReader {
  private readonly inputs = new Map<string, Word[]>();
  private readonly args: Record<string, ArgValue> = {};
  private readonly words: LineWord[];
  private readonly problems: LineProblem[] = [];
  private readonly command: Command;
  private readonly input: ReadInput | undefined;
  private readonly localWords: readonly string[];

  constructor(
    command: Command,
    head: readonly LineWord[],
    input: ReadInput | undefined,
    localWords: readonly string[],
  ) {
    this.command = command;
    this.localWords = localWords;
    this.words = [...head];
    this.input = input;
  }

  read(words: readonly Word[]): ParsedLine {
    const unnamedWords: Word[] = [];
    for (let index = 0; index < words.length; index++) {
      const word = words[index] as Word;
      if (!word.text.startsWith('--')) unnamedWords.push(word);
      else if (this.parseOption(word, words[index + 1])) index++;
    }
    this.assignPositional(unnamedWords);
    for (const [name, values] of this.inputs) this.parseParam(name, values);
    this.words.sort((a, b) => a.from - b.from);
    const { command, args, problems } = this;
    const parsedLine = { command, args, words: this.words, problems };
    return problems.length > 0 ? parsedLine : { ...parsedLine, invocation: { id: command.id, args } };
  }

  /** Parses `--name value`, `--name=value`, `--flag`, or `--no-flag`. Returns true if the next word is its value. */
  private parseOption(word: Word, next: Word | undefined): boolean {
    const [, optionText = '', inlineValue] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    const option = this.findOption(optionText);
    if (!option) {
      const options = Object.keys(this.command.params).map((name) => `--${optionName(name)}`);
      this.reportProblem(word, unknownOption(word.text, options, this.localWords));
      return false;
    }
    const { name, negated } = option;
    this.words.push({ ...word, role: 'option', param: name });
    if (this.command.params[name]?.kind === 'flag' && inlineValue === undefined) {
      this.args[name] = !negated;
      return false;
    }
    if (inlineValue !== undefined) {
      this.addText(name, { ...word, text: inlineValue });
      return false;
    }
    if (!next || next.text.startsWith('--')) {
      this.reportProblem(word, message('running:line.value', { option: word.text }), name);
      return false;
    }
    this.words.push({ ...next, role: 'value', param: name });
    this.addText(name, next);
    return true;
  }

  private findOption(text: string): { name: string; negated: boolean } | undefined {
    for (const [name, { kind }] of Object.entries(this.command.params)) {
      const option = optionName(name);
      if (text === option || text === name) return { name, negated: false };
      if (kind === 'flag' && text === `no-${option}`) return { name, negated: true };
    }
    return undefined;
  }

  private addText(name: string, word: Word): void {
    const words = this.inputs.get(name);
    if (words) words.push(word);
    else this.inputs.set(name, [word]);
  }

  /** Assigns unnamed words to the positional params that have no value yet. */
  private assignPositional(words: readonly Word[]): void {
    const unassignedNames = this.command.positional.filter((name) => !this.inputs.has(name));
    const last = unassignedNames.at(-1);
    const joinsRest =
      last !== undefined &&
      REST_OF_LINE.has((this.command.params[last] as Param).kind) &&
      words.length > unassignedNames.length;
    const values = joinsRest
      ? [...words.slice(0, unassignedNames.length - 1), joinWords(words.slice(unassignedNames.length - 1))]
      : words;
    values.forEach((word, index) => {
      const name = unassignedNames[index];
      if (name === undefined) return this.reportProblem(word, message('running:line.extra', { value: word.text }));
      this.words.push({ ...word, role: 'value', param: name });
      return this.addText(name, word);
    });
  }

  private parseParam(name: string, words: readonly Word[]): void {
    const param = this.command.params[name] as Param;
    const inputs: string[] = [];
    for (const word of words) {
      const text = readsInput(param) && SOURCE.test(word.text) ? this.readSource(word.text, param.kind) : word.text;
      if (typeof text === 'object') return this.reportProblem(word, text.problem, name);
      inputs.push(text);
    }
    const result = parseValues(param, inputs);
    if ('value' in result) this.args[name] = result.value;
    else this.reportProblem({ ...(words[0] as Word), to: (words.at(-1) as Word).to }, result.problem, name);
  }

  /**
   * Reads `-` or `@file`. Each line is an item, but a single line is parsed as typed. A secret or text is the whole
   * content.
   */
  private readSource(source: string, kind: Kind): ReturnType<ReadInput> {
    if (!this.input) return source;
    const content = this.input(source);
    if (typeof content === 'object') return content;
    // An empty file is more likely a mistake than a way to clear a secret.
    if ((kind === 'many' || kind === 'secret') && content.trim() === '')
      return { problem: message('running:line.emptyInput', { source }) };
    if (kind === 'secret' || kind === 'text') return content.trimEnd();
    const lines = content
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return lines.length === 1 ? lines[0]! : printList(lines);
  }

  private reportProblem(word: Pick<Word, 'from' | 'to'> & Partial<Word>, problem: Message, param?: string): void {
    const { from, to } = word;
    this.problems.push(param === undefined ? { from, to, message: problem } : { from, to, message: problem, param });
    if (!this.words.some((lineWord) => lineWord.from === from))
      this.words.push({ text: word.text ?? '', from, to, role: 'wrong' });
  }
}

const SOURCE = /^-$|^@(?!(selection|ask)$)/i;

/**
 * Kinds that can be read from standard input or a file: lists, and values that should not appear in the shell's
 * history.
 */
const FROM_INPUT: ReadonlySet<Kind> = new Set(['many', 'refs', 'words', 'secret']);

const readsInput = (param: Param): boolean =>
  FROM_INPUT.has(param.kind) || (param.kind === 'text' && param.fromInput === true);

/** Kinds that accept the remainder of the line, so `devices health:ERROR pump` needs no quotes around the filter. */
const REST_OF_LINE: ReadonlySet<Kind> = new Set(['many', 'query', 'ref', 'text']);

/**
 * Joins words into one. Restores the quotes around a term's value that contains a space, which splitting removed.
 */
function joinWords(words: readonly Word[]): Word {
  const inputs = words.map(({ text }) => text.replace(/^(-?[a-z][\w-]*[:<>])([^"]*\s[^"]*)$/i, '$1"$2"'));
  return { text: inputs.join(' '), from: (words[0] as Word).from, to: (words.at(-1) as Word).to };
}

import type { Command } from '#commands/model/command.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { ArgValue, Kind } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { commandWords, findCommand, unknownOption, type LineWord } from './line-head.ts';
import { literals, type Read } from './literals.ts';
import { message, type Message } from '#commands/text/message.ts';
import { printList } from '#commands/text/quotes.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { shellQuote, splitWords, type Word } from './shell.ts';

/** Positions are offsets into the line. */
export interface LineProblem {
  readonly from: number;
  readonly to: number;
  readonly message: Message;
  readonly param?: string;
}

/** A line as far as it can be understood: the palette goes on from here. */
export interface ParsedLine {
  /** There when nothing is wrong. A required argument may still be missing: see `missingParams`. */
  readonly invocation?: Invocation;
  readonly command?: Command;
  /** The arguments that could be read. */
  readonly args: Args;
  readonly words: readonly LineWord[];
  readonly problems: readonly LineProblem[];
}

/** What `-` and `@file` stand for, where the surface can read them; undefined for what it cannot. */
export type ReadInput = (source: string) => string | undefined;

/** `dryRun` as an option: `dry-run`. */
export function optionName(param: string): string {
  return param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

type AnyLiteral = {
  print(value: ArgValue, param: Param): readonly string[];
  parse(texts: readonly string[], param: Param): Read<ArgValue>;
};

function literal(kind: Kind): AnyLiteral {
  return literals[kind] as AnyLiteral;
}

/** The texts of a value, as the palette's chips and a line show it. */
export function printValue(param: Param, value: ArgValue): string {
  return literal(param.kind).print(value, param).join(' ');
}

/** Reads one value as a person types it. */
export function parseValue(param: Param, text: string): Read<ArgValue> {
  return literal(param.kind).parse([text], param);
}

/**
 * An invocation as one canonical line, which a shell runs as it is after `npx quarterdeck`. Secrets are written
 * `@ask`.
 */
export function printLine(invocation: Invocation, registry: Registry): string {
  return toArgv(invocation, registry).map(shellQuote).join(' ');
}

/** The words of that line. @throws RangeError for a command that the registry does not have. */
export function toArgv({ id, args }: Invocation, registry: Registry): readonly string[] {
  const of = registry.command(id);
  if (!of) throw new RangeError(`no command '${id}'`);
  const positional: string[] = [];
  for (const name of of.positional) {
    const text = args[name] === undefined ? undefined : textsOf(of, name, args)[0];
    // One that a parser would take for an option, and those after it, are written by name.
    if (text === undefined || text.startsWith('--')) break;
    positional.push(text);
  }
  const named = Object.keys(of.params).filter(
    (name) => args[name] !== undefined && !of.positional.slice(0, positional.length).includes(name),
  );
  return [...commandWords(of, registry), ...positional, ...named.flatMap((name) => optionWords(of, name, args))];
}

function textsOf(command: Command, name: string, args: Args): readonly string[] {
  const param = command.params[name];
  const value = args[name];
  return param && value !== undefined ? literal(param.kind).print(value, param) : [];
}

function optionWords(command: Command, name: string, args: Args): readonly string[] {
  const option = `--${optionName(name)}`;
  const value = args[name];
  if (typeof value === 'boolean') return [value ? option : `--no-${optionName(name)}`];
  const texts = textsOf(command, name, args);
  if (texts.length === 0) return [option, ''];
  return texts.flatMap((text) => (text.startsWith('--') ? [`${option}=${text}`] : [option, text]));
}

/** Reads a line. Never throws: what does not parse is said where it stands. */
export function parseLine(line: string, registry: Registry): ParsedLine {
  const { words, unclosed } = splitWords(line);
  const parsed = parseWords(words, registry);
  if (unclosed === undefined) return parsed;
  const problem = { from: unclosed, to: line.length, message: message('core:line.quote', { at: unclosed + 1 }) };
  return { ...parsed, invocation: undefined, problems: [problem, ...parsed.problems] };
}

/**
 * Reads words that a shell has already divided; positions are those in {@link printLine}'s rendering of them. `also`
 * are nouns and options that only the terminal takes: what a misspelt word may have been meant to be.
 */
export function parseArgv(
  argv: readonly string[],
  registry: Registry,
  input?: ReadInput,
  also: readonly string[] = [],
): ParsedLine {
  let at = 0;
  const words = argv.map((text): Word => {
    const from = at;
    at += shellQuote(text).length + 1;
    return { text, from, to: at - 1 };
  });
  return parseWords(words, registry, input, also);
}

function parseWords(
  words: readonly Word[],
  registry: Registry,
  input?: ReadInput,
  also: readonly string[] = [],
): ParsedLine {
  const isOption = (word: string): boolean => word.startsWith('--');
  const nouns = also.filter((word) => !isOption(word));
  const head = findCommand(words, registry, nouns);
  if (!('command' in head)) {
    const { from, to } = head.word ?? { from: 0, to: 0 };
    const marked = words
      .map((word): LineWord => ({ ...word, role: word === head.word ? 'wrong' : 'noun' }))
      .slice(0, head.taken);
    return { args: {}, words: marked, problems: [{ from, to, message: head.message }] };
  }
  const reader = new ArgumentReader(head.command, head.words, input, also.filter(isOption));
  return reader.read(words.slice(head.words.length));
}

/** Sorts the words after a command into its params, then reads each param's texts. */
class ArgumentReader {
  private readonly texts = new Map<string, Word[]>();
  private readonly args: Record<string, ArgValue> = {};
  private readonly words: LineWord[];
  private readonly problems: LineProblem[] = [];
  private readonly of: Command;
  private readonly input: ReadInput | undefined;
  private readonly also: readonly string[];

  constructor(command: Command, head: readonly LineWord[], input: ReadInput | undefined, also: readonly string[]) {
    this.of = command;
    this.also = also;
    this.words = [...head];
    this.input = input;
  }

  read(words: readonly Word[]): ParsedLine {
    const free: Word[] = [];
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as Word;
      if (!word.text.startsWith('--')) free.push(word);
      else if (this.option(word, words[at + 1])) at++;
    }
    this.place(free);
    for (const [name, given] of this.texts) this.value(name, given);
    this.words.sort((a, b) => a.from - b.from);
    const { of: command, args, problems } = this;
    const parsed = { command, args, words: this.words, problems };
    return problems.length > 0 ? parsed : { ...parsed, invocation: { id: command.id, args } };
  }

  /** Reads `--name value`, `--name=value`, `--flag` or `--no-flag`; true when the next word was its value. */
  private option(word: Word, next: Word | undefined): boolean {
    const [, typed = '', inline] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    const found = this.named(typed);
    if (!found) {
      const options = Object.keys(this.of.params).map((name) => `--${optionName(name)}`);
      this.wrong(word, unknownOption(word.text, options, this.also));
      return false;
    }
    const { name, negated } = found;
    this.words.push({ ...word, role: 'option', param: name });
    if (this.of.params[name]?.kind === 'flag' && inline === undefined) {
      this.args[name] = !negated;
      return false;
    }
    if (inline !== undefined) {
      this.give(name, { ...word, text: inline });
      return false;
    }
    if (!next || next.text.startsWith('--')) {
      this.wrong(word, message('core:line.value', { option: word.text }), name);
      return false;
    }
    this.words.push({ ...next, role: 'value', param: name });
    this.give(name, next);
    return true;
  }

  private named(typed: string): { name: string; negated: boolean } | undefined {
    for (const [name, { kind }] of Object.entries(this.of.params)) {
      const option = optionName(name);
      if (typed === option || typed === name) return { name, negated: false };
      if (kind === 'flag' && typed === `no-${option}`) return { name, negated: true };
    }
    return undefined;
  }

  private give(name: string, word: Word): void {
    const given = this.texts.get(name);
    if (given) given.push(word);
    else this.texts.set(name, [word]);
  }

  /** Gives the words without a name to the positional params that were not named. */
  private place(words: readonly Word[]): void {
    const open = this.of.positional.filter((name) => !this.texts.has(name));
    const last = open.at(-1);
    const joins = last !== undefined && JOINED.has((this.of.params[last] as Param).kind) && words.length > open.length;
    const taken = joins ? [...words.slice(0, open.length - 1), joined(words.slice(open.length - 1))] : words;
    taken.forEach((word, index) => {
      const name = open[index];
      if (name === undefined) return this.wrong(word, message('core:line.extra', { value: word.text }));
      this.words.push({ ...word, role: 'value', param: name });
      return this.give(name, word);
    });
  }

  private value(name: string, given: readonly Word[]): void {
    const param = this.of.params[name] as Param;
    const texts: string[] = [];
    for (const word of given) {
      const text = READ.has(param.kind) && SOURCE.test(word.text) ? this.fromInput(word.text, param.kind) : word.text;
      if (text === undefined) return this.wrong(word, message('core:line.input', { value: word.text }), name);
      texts.push(text);
    }
    const read = literal(param.kind).parse(texts, param);
    if ('value' in read) this.args[name] = read.value;
    else this.wrong({ ...(given[0] as Word), to: (given.at(-1) as Word).to }, read.problem, name);
  }

  /**
   * Each line of what `-` or `@file` holds is an item; a single line is taken as it would be typed. A secret is the
   * whole of it.
   */
  private fromInput(source: string, kind: Kind): string | undefined {
    if (!this.input) return source;
    const content = this.input(source);
    if (kind === 'secret') return content?.trimEnd();
    const lines = content
      ?.split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return lines && (lines.length === 1 ? lines[0] : printList(lines));
  }

  private wrong(word: Pick<Word, 'from' | 'to'> & Partial<Word>, sentence: Message, param?: string): void {
    const { from, to } = word;
    this.problems.push(param === undefined ? { from, to, message: sentence } : { from, to, message: sentence, param });
    if (!this.words.some((lineWord) => lineWord.from === from))
      this.words.push({ text: word.text ?? '', from, to, role: 'wrong' });
  }
}

const SOURCE = /^-$|^@(?!(selection|ask)$)/i;

/**
 * Kinds that may be read from standard input or a file: those that hold many things, and what should stand in no
 * history.
 */
const READ: ReadonlySet<Kind> = new Set(['many', 'refs', 'words', 'secret']);

/** Kinds that take the rest of the line: `devices health:ERROR pump` needs no quotes around the filter. */
const JOINED: ReadonlySet<Kind> = new Set(['many', 'query', 'ref', 'text']);

/** Words as one, a space inside a term (which the line's quotes held together) quoted again. */
function joined(words: readonly Word[]): Word {
  const texts = words.map(({ text }) => text.replace(/^(-?[a-z][\w-]*[:<>])([^"]*\s[^"]*)$/i, '$1"$2"'));
  return { text: texts.join(' '), from: (words[0] as Word).from, to: (words.at(-1) as Word).to };
}

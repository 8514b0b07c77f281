import { parseFlag } from '#commands/line/literals.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Global options, accepted by every command. */
export const GLOBALS = {
  org: { value: 'ORG' },
  server: { value: 'URL' },
  token: { value: 'TOKEN' },
  plan: {},
  yes: {},
  json: {},
  help: {},
  version: {},
} as const satisfies Readonly<Record<string, { readonly value?: string }>>;

export type GlobalName = keyof typeof GLOBALS;

export interface Globals {
  readonly org?: string;
  readonly server?: string;
  readonly token?: string;
  readonly plan?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

export interface SplitLine {
  readonly globals: Globals;
  /** The words of the command, without the global options. */
  readonly words: readonly string[];
  readonly problem?: Message;
  /** The option that the problem concerns, unless the message names it. */
  readonly argument?: string;
}

const SHORT: Readonly<Record<string, GlobalName>> = { '-h': 'help', '-y': 'yes' };

/** Extracts the global options from any position. */
export function splitGlobals(argv: readonly string[]): SplitLine {
  const globals: Record<string, string | boolean> = {};
  const words: string[] = [];
  let problem: Pick<SplitLine, 'problem' | 'argument'> | undefined;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    const [, optionName = '', inlineValue] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const short = Object.hasOwn(SHORT, word) ? SHORT[word] : undefined;
    const name = short ?? (Object.hasOwn(GLOBALS, optionName) ? (optionName as GlobalName) : undefined);
    if (name === undefined) {
      words.push(word);
      continue;
    }
    if (!('value' in GLOBALS[name])) {
      const flag = inlineValue === undefined ? { value: true } : parseFlag(inlineValue);
      if ('value' in flag) globals[name] = flag.value;
      else problem ??= { problem: flag.problem, argument: `--${name}` };
      continue;
    }
    const next = argv[index + 1];
    const value = inlineValue ?? (next?.startsWith('--') ? undefined : next);
    // Empty if a script's variable is empty. Without the option, the script would act on another organization.
    if (!value) problem ??= { problem: message('running:line.value', { option: `--${name}` }) };
    else globals[name] = value;
    if (inlineValue === undefined && value !== undefined) index++;
  }
  return { globals, words, ...problem };
}

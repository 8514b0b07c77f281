import { message, type Message } from '#commands/text/message.ts';

/** The options that every command of the command line takes, besides its own. */
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

export interface Split {
  readonly globals: Globals;
  /** The command, without the options that were taken out. */
  readonly words: readonly string[];
  readonly problem?: Message;
}

const SHORT: Readonly<Record<string, GlobalName>> = { '-h': 'help', '-y': 'yes' };

/** Takes the options of every command out of the words, wherever they stand. */
export function splitGlobals(argv: readonly string[]): Split {
  const globals: Record<string, string | boolean> = {};
  const words: string[] = [];
  let problem: Message | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    const [, typed = '', inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const short = Object.hasOwn(SHORT, word) ? SHORT[word] : undefined;
    const name = short ?? (Object.hasOwn(GLOBALS, typed) ? (typed as GlobalName) : undefined);
    if (name === undefined) words.push(word);
    else if (!('value' in GLOBALS[name])) globals[name] = true;
    else if (inline !== undefined) globals[name] = inline;
    else if (argv[at + 1] === undefined || argv[at + 1]?.startsWith('--'))
      problem ??= message('core:line.value', { option: word });
    else globals[name] = argv[++at] as string;
  }
  return problem ? { globals, words, problem } : { globals, words };
}

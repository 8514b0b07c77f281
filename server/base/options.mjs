// The options of `npm start`, in one table. Plain JavaScript without dependencies: the launcher reads it before
// anything is installed or built, and rejects an invalid option before changing anything.
import { parseArgs } from 'node:util';

/**
 * @typedef {object} ServerOptions
 * @property {number} devices size of the demo fleet when the data folder is first seeded
 * @property {number} port TCP port to listen on, or 0 for any free port
 * @property {string} data folder with the embedded database, identities, and keys (not used with DATABASE_URL)
 * @property {number} rate messages per second that the simulated fleet sends, or 0 for none
 * @property {boolean} fresh empties the data before starting
 * @property {boolean} allow-loopback-deliveries lets webhooks call this machine
 * @property {boolean} help prints the options and exits
 */

/**
 * @template T
 * @typedef {object} Option
 * @property {string} [value] the value's placeholder in the help, absent for a flag
 * @property {T} fallback
 * @property {string} help
 * @property {(text: string) => T | undefined} read parses a value, or returns undefined if it is invalid
 * @property {string} expected describes a valid value, after "must be"
 */

/**
 * Creates a parser of integers in a range.
 *
 * @type {(min: number, max: number) => (text: string) => number | undefined}
 */
const wholeNumber = (min, max) => (text) => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return number >= min && number <= max ? number : undefined;
};

/**
 * Parses a decimal from 0 to 1000.
 *
 * @param {string} text
 */
const readDecimal = (text) => {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : -1;
  return number >= 0 && number <= 1000 ? number : undefined;
};

/** @type {{ [K in keyof ServerOptions]: Option<ServerOptions[K]> }} */
export const options = {
  devices: {
    value: 'N',
    fallback: 2000,
    help: 'number of devices in a new demo fleet',
    read: wholeNumber(1, 100_000),
    expected: 'a whole number from 1 to 100000',
  },
  port: {
    value: 'N',
    fallback: 7878,
    help: 'port to listen on (0 for any free port)',
    read: wholeNumber(0, 65_535),
    expected: 'a whole number from 0 to 65535',
  },
  data: {
    value: 'DIR',
    fallback: '.quarterdeck/data',
    help: 'data folder',
    read: (text) => (text.trim() === '' ? undefined : text),
    expected: 'the path to a folder',
  },
  rate: {
    value: 'N',
    fallback: 2,
    help: 'messages per second from the simulated fleet (0 for none)',
    read: readDecimal,
    expected: 'a number from 0 to 1000',
  },
  'allow-loopback-deliveries': {
    fallback: false,
    help: 'let webhooks call this machine (set by npm start)',
    read: () => true,
    expected: '',
  },
  fresh: { fallback: false, help: 'delete all data and start over', read: () => true, expected: '' },
  help: { fallback: false, help: 'show these options', read: () => true, expected: '' },
};

const names = /** @type {(keyof ServerOptions)[]} */ (Object.keys(options));

/** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
const grammar = Object.fromEntries(
  names.map((name) => [name, { type: options[name].value === undefined ? 'boolean' : 'string' }]),
);

/** Thrown for invalid arguments. Its message is for the user, and the exit code is 2. */
export class UsageError extends Error {
  /** @override */
  name = 'UsageError';
}

/**
 * Suggests a known option for an unknown one.
 *
 * @param {string} unknown
 */
function suggestionFor(unknown) {
  const similar = names.find((name) => name.startsWith(unknown.slice(0, 3)) || unknown.startsWith(name));
  return similar === undefined ? 'Run npm start -- --help to list the options.' : `Did you mean --${similar}?`;
}

/**
 * Parses the command-line options of the server.
 *
 * @param {readonly string[]} argv arguments after the script's name: `--port 9000` or `--port=9000`
 * @returns {ServerOptions}
 * @throws UsageError for an unknown option, a missing value, or an invalid value
 */
export function parseOptions(argv) {
  /** @type {Record<string, unknown>} */
  const parsed = Object.fromEntries(names.map((name) => [name, options[name].fallback]));
  const { tokens } = parseArgs({ args: [...argv], options: grammar, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option')
      throw new UsageError(`"${argv[token.index]}" isn't an option. Run npm start -- --help to list the options.`);
    const name = names.find((candidate) => candidate === token.name);
    if (name === undefined) throw new UsageError(`${token.rawName} isn't an option. ${suggestionFor(token.name)}`);
    const { value, read, expected } = options[name];
    if (value === undefined) {
      if (token.value !== undefined) throw new UsageError(`--${name} takes no value, but got "${token.value}".`);
      parsed[name] = true;
      continue;
    }
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
      throw new UsageError(`--${name} needs a value: ${expected}.`);
    }
    const result = read(token.value);
    if (result === undefined) throw new UsageError(`--${name} must be ${expected}, not "${token.value}".`);
    parsed[name] = result;
  }
  return /** @type {ServerOptions} */ (/** @type {unknown} */ (parsed));
}

/** Returns the help text, with one line for each option. */
export function optionsHelp() {
  const rows = names.map((name) => {
    const { value, help, fallback } = options[name];
    const head = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return `  ${head.padEnd(30)}${help}${value === undefined ? '' : ` (default ${fallback})`}`;
  });
  return ['npm start -- [options]', '', ...rows].join('\n');
}

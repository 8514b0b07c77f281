// The options of `npm start`, in one table. Plain JavaScript without dependencies: the launcher reads it before
// anything is installed or built, so that a wrong option is refused at once and touches nothing.

/**
 * @typedef {object} ServerOptions
 * @property {number} devices size of the demo fleet when the data folder is seeded for the first time
 * @property {number} port TCP port of the one listener; 0 lets the system choose a free one
 * @property {string} data folder of the embedded database, identities and keys; not used with DATABASE_URL
 * @property {number} rate messages per second that the simulated fleet sends; 0 keeps it silent
 * @property {boolean} fresh empties the data before starting
 * @property {boolean} allow-loopback-deliveries lets webhooks call this machine itself
 * @property {boolean} help prints the options and ends
 */

/**
 * @template T
 * @typedef {object} Option
 * @property {string} [value] what the value is called in the help; an option without one is a switch
 * @property {T} fallback
 * @property {string} help
 * @property {(text: string) => T | undefined} read undefined: not a valid value
 * @property {string} right what a right value looks like, after "must be"
 */

/** @param {number} least @param {number} most @returns {(text: string) => number | undefined} */
const wholeNumber = (least, most) => (text) => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
};

/** @param {string} text */
const decimal = (text) => {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : -1;
  return number >= 0 && number <= 1000 ? number : undefined;
};

/** @type {{ [K in keyof ServerOptions]: Option<ServerOptions[K]> }} */
export const options = {
  devices: {
    value: 'N',
    fallback: 2000,
    help: 'devices in the demo fleet, when it is first created',
    read: wholeNumber(1, 100_000),
    right: 'a whole number from 1 to 100000',
  },
  port: {
    value: 'N',
    fallback: 7878,
    help: 'port to listen on; 0 takes any free one',
    read: wholeNumber(0, 65_535),
    right: 'a whole number from 0 to 65535',
  },
  data: {
    value: 'DIR',
    fallback: '.quarterdeck/data',
    help: 'folder that holds the data',
    read: (text) => (text.trim() === '' ? undefined : text),
    right: 'the path of a folder',
  },
  rate: {
    value: 'N',
    fallback: 2,
    help: 'messages per second from the simulated fleet; 0 for none',
    read: decimal,
    right: 'a number from 0 to 1000',
  },
  'allow-loopback-deliveries': {
    fallback: false,
    help: 'let webhooks call this machine itself; npm start does',
    read: () => true,
    right: '',
  },
  fresh: { fallback: false, help: 'throw the data away and begin anew', read: () => true, right: '' },
  help: { fallback: false, help: 'show these options', read: () => true, right: '' },
};

const names = /** @type {(keyof ServerOptions)[]} */ (Object.keys(options));

/** The arguments cannot be used as given. The message is one sentence for the person who typed them; exit code 2. */
export class UsageError extends Error {
  /** @override */
  name = 'UsageError';
}

/** @param {string} wrong */
function nearest(wrong) {
  const like = names.find((name) => name.startsWith(wrong.slice(0, 3)) || wrong.startsWith(name));
  return like === undefined ? 'npm start -- --help lists the options.' : `did you mean --${like}?`;
}

/**
 * @param {readonly string[]} argv arguments after the script's name: `--port 9000` or `--port=9000`
 * @returns {ServerOptions}
 * @throws {UsageError} an unknown option, a missing value, a value out of range
 */
export function parseOptions(argv) {
  /** @type {Record<string, unknown>} */
  const parsed = Object.fromEntries(names.map((name) => [name, options[name].fallback]));
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, wanted, inline] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (wanted === undefined) throw new UsageError(`"${word}" is not an option: npm start -- --help lists them.`);
    const name = names.find((known) => known === wanted);
    if (name === undefined) throw new UsageError(`--${wanted} is not an option: ${nearest(wanted)}`);
    const { value, read, right } = options[name];
    if (value === undefined) {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value, and got "${inline}".`);
      parsed[name] = true;
      continue;
    }
    const given = inline ?? (rest[0]?.startsWith('--') ? undefined : rest.shift());
    if (given === undefined) throw new UsageError(`--${name} needs a value: ${right}.`);
    const result = read(given);
    if (result === undefined) throw new UsageError(`--${name} must be ${right}, not "${given}".`);
    parsed[name] = result;
  }
  return /** @type {ServerOptions} */ (/** @type {unknown} */ (parsed));
}

/** The help text, one line for each option. */
export function optionsHelp() {
  const rows = names.map((name) => {
    const { value, help, fallback } = options[name];
    const head = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return `  ${head.padEnd(30)}${help}${value === undefined ? '' : ` (default ${fallback})`}`;
  });
  return ['npm start -- [options]', '', ...rows].join('\n');
}

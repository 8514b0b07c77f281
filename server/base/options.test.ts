import { describe, expect, test } from 'vitest';

import { optionsHelp, parseOptions, UsageError } from './options.mjs';

const readError = (...argv: string[]): string => {
  try {
    parseOptions(argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('npm start options', () => {
  test('have defaults', () => {
    expect(parseOptions([])).toEqual({
      devices: 2000,
      port: 7878,
      data: '.quarterdeck/data',
      rate: 2,
      'allow-loopback-deliveries': false,
      fresh: false,
      help: false,
    });
  });

  test('accept both --name value and --name=value', () => {
    expect(parseOptions(['--port', '9000', '--devices=100000', '--rate', '0.5', '--fresh'])).toMatchObject({
      port: 9000,
      devices: 100_000,
      rate: 0.5,
      fresh: true,
    });
  });

  test.each([
    [['--device', '5'], "--device isn't an option. Did you mean --devices?"],
    [['--color'], "--color isn't an option. Run npm start -- --help to list the options."],
    [['fresh'], '"fresh" isn\'t an option. Run npm start -- --help to list the options.'],
    [['--devices', '100001'], '--devices must be a whole number from 1 to 100000, not "100001".'],
    [['--port', 'http'], '--port must be a whole number from 0 to 65535, not "http".'],
    [['--port', '--fresh'], '--port needs a value: a whole number from 0 to 65535.'],
    [['--rate', '-1'], '--rate must be a number from 0 to 1000, not "-1".'],
    [['--data='], '--data must be the path to a folder, not "".'],
    [['--fresh=yes'], '--fresh takes no value, but got "yes".'],
  ])('are rejected with an explanation: %j', (argv, sentence) => {
    expect(readError(...argv)).toBe(sentence);
  });

  test('are all listed in the help', () => {
    for (const name of Object.keys(parseOptions([]))) expect(optionsHelp()).toContain(`--${name}`);
  });
});

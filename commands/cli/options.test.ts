import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';

import { splitGlobals } from './options.ts';

test('extracts global options from any position', () => {
  expect(splitGlobals(['--org', 'acme', 'devices', '--json', 'pump', '--server=http://x', '--limit', '5'])).toEqual({
    globals: { org: 'acme', json: true, server: 'http://x' },
    words: ['devices', 'pump', '--limit', '5'],
  });
  expect(splitGlobals(['tag', '-y', '--plan', '--yes', '-h', '--help', '--token=a=b\nc'])).toEqual({
    globals: { yes: true, plan: true, help: true, token: 'a=b\nc' },
    words: ['tag'],
  });
  expect(splitGlobals(['--token', '-x', '--org', '-']).globals).toEqual({ token: '-x', org: '-' });
});

test('leaves unknown options to the command', () => {
  for (const word of ['--', '-x', '--toString', 'org', '--organization', '---org', '__proto__', 'constructor']) {
    expect(splitGlobals([word])).toStrictEqual({ globals: {}, words: [word] });
  }
});

test('names the first option without a value', () => {
  const problem = (...argv: string[]) => splitGlobals(argv).problem;
  expect(problem('devices', '--org')).toEqual(message('running:line.value', { option: '--org' }));
  expect(problem('devices', '--org=', '--plan')).toEqual(message('running:line.value', { option: '--org' }));
  expect(splitGlobals(['--org', '', 'devices'])).toEqual({
    globals: {},
    words: ['devices'],
    problem: message('running:line.value', { option: '--org' }),
  });
  expect(problem('--token', '--org')).toEqual(message('running:line.value', { option: '--token' }));
  expect(problem('--org', '--json')).toEqual(message('running:line.value', { option: '--org' }));
  expect(splitGlobals(['--org', '--json']).globals).toEqual({ json: true });
});

test('reads a value of a flag, instead of turning it on regardless', () => {
  expect(splitGlobals(['--yes=false', '--plan=TRUE', 'devices'])).toEqual({
    globals: { yes: false, plan: true },
    words: ['devices'],
  });
  for (const value of ['no', '', 'constructor', '__proto__']) {
    expect(splitGlobals([`--yes=${value}`])).toEqual({
      globals: {},
      words: [],
      problem: message('core:validation.flag', { value }),
      argument: '--yes',
    });
  }
});

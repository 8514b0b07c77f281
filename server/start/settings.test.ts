import { readFile } from 'node:fs/promises';

import { describe, expect, test } from 'vitest';

import { type Environment, settingsTable } from './environment.ts';
import { readSettings } from './settings.ts';

const readError = (argv: string[], environment: Environment): string => {
  try {
    readSettings(argv, environment);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : 'something else';
  }
};

describe('the settings', () => {
  test('are those of the demo by default', () => {
    const { config, host, port, fresh, databaseUrl, sealingKey } = readSettings([], {});
    expect(config).toMatchObject({ demo: true, rate: 2, allowLoopbackDeliveries: false, sentryDsn: '' });
    expect(config.identity).toMatchObject({ kind: 'embedded', project: 'demo-quarterdeck' });
    expect([host, port, fresh, databaseUrl, sealingKey]).toEqual(['127.0.0.1', 7878, false, undefined, undefined]);
  });

  test('have no demo and no simulated fleet with a Firebase project', () => {
    const environment = { QUARTERDECK_FIREBASE_PROJECT: 'acme-prod', QUARTERDECK_FIREBASE_API_KEY: 'key' };
    const { config, host } = readSettings(['--rate', '50'], { ...environment, QUARTERDECK_HOST: '0.0.0.0' });
    expect(config).toMatchObject({ demo: false, rate: 0, identity: { kind: 'google', project: 'acme-prod' } });
    expect(host).toBe('0.0.0.0');
  });

  test('accept a sealing key shared by several servers', () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    expect(readSettings([], { QUARTERDECK_SEALING_KEY: key }).sealingKey).toEqual(Buffer.alloc(32, 1));
  });

  test('allow calls only from the listed origins', () => {
    const origins = (text?: string) => [...readSettings([], { QUARTERDECK_CORS_ORIGINS: text }).config.corsOrigins];
    expect([origins(), origins(''), origins('https://a.example, http://localhost:5173,')]).toEqual([
      [],
      [],
      ['https://a.example', 'http://localhost:5173'],
    ]);
  });

  test.each<[string, string[], Environment]>([
    ['QUARTERDECK_SEALING_KEY must be 32 bytes in base64, not 3.', [], { QUARTERDECK_SEALING_KEY: 'c2hv' }],
    ['only safe on 127.0.0.1', [], { QUARTERDECK_HOST: '0.0.0.0' }],
    [
      'PROJECT needs QUARTERDECK_FIREBASE_API_KEY. Set both or neither.',
      [],
      { QUARTERDECK_FIREBASE_PROJECT: 'acme-prod' },
    ],
    ['"demo-x"', [], { QUARTERDECK_FIREBASE_PROJECT: 'demo-x', QUARTERDECK_FIREBASE_API_KEY: 'key' }],
    ['--fresh empties the data folder', ['--fresh'], { DATABASE_URL: 'postgres://localhost/x' }],
    ['SENTRY_DSN must be a URL such as', [], { SENTRY_DSN: 'x' }],
    ['QUARTERDECK_ORIGIN must be a URL such as', [], { QUARTERDECK_ORIGIN: 'console.example.com:443' }],
    ['SMTP_URL needs QUARTERDECK_MAIL_FROM', [], { SMTP_URL: 'smtp://mail.example' }],
    ['MAIL_FROM must be an address such as', [], { QUARTERDECK_MAIL_FROM: 'Console' }],
    ['HELP_DESK_SECRET needs QUARTERDECK_HELP_DESK_URL', [], { QUARTERDECK_HELP_DESK_SECRET: 'x' }],
    [
      'SIGN_IN contains "sms". Each item must be password, token, or google.',
      [],
      { QUARTERDECK_SIGN_IN: 'token, sms' },
    ],
    ['contains "https://…@a.example"', [], { QUARTERDECK_CORS_ORIGINS: 'https://me:hush@a.example' }],
    ['not "ftp://…@help.example/jwt".', [], { QUARTERDECK_HELP_DESK_URL: 'ftp://me:hush@help.example/jwt' }],
    ['not "https://…@con sole".', [], { QUARTERDECK_ORIGIN: 'https://me:h@sh@con sole' }],
    [`not "${'x'.repeat(99)}…".`, [], { QUARTERDECK_MAIL_FROM: 'x'.repeat(60_000) }],
    [`is "demo-${'x'.repeat(94)}…", but`, [], { QUARTERDECK_FIREBASE_PROJECT: `demo-${'x'.repeat(60_000)}` }],
    [`is "${'x'.repeat(99)}…", but`, [], { QUARTERDECK_HOST: 'x'.repeat(60_000) }],
    ['QUARTERDECK_CORS_ORIGINS contains "*"', [], { QUARTERDECK_CORS_ORIGINS: '*' }],
    ['contains "https://a.example/"', [], { QUARTERDECK_CORS_ORIGINS: 'https://b.example,https://a.example/' }],
    ['contains "https://A.example"', [], { QUARTERDECK_CORS_ORIGINS: 'https://A.example' }],
    ['contains "null"', [], { QUARTERDECK_CORS_ORIGINS: 'null' }],
    ['contains "https://a.example:443"', [], { QUARTERDECK_CORS_ORIGINS: 'https://a.example:443' }],
    ['contains "ftp://a.example"', [], { QUARTERDECK_CORS_ORIGINS: 'ftp://a.example' }],
  ])('are rejected: %s', (expected, argv, environment) => {
    expect(readError(argv, environment)).toContain(expected);
  });

  test('are all reported if invalid, without their secrets', () => {
    const environment = {
      SMTP_URL: 'https://user:hunter2@mail.example',
      DATABASE_URL: 'hunter2',
      QUARTERDECK_ORIGIN: 'x',
    };
    expect(readError([], environment)).toBe(
      [
        'QUARTERDECK_ORIGIN must be a URL such as https://console.example.com, not "x".',
        'DATABASE_URL must be a URL such as postgres://user:password@host/database.',
        'SMTP_URL must be a URL such as smtp://user:password@host:587.',
        'SMTP_URL needs QUARTERDECK_MAIL_FROM. Set both or neither.',
      ].join('\n'),
    );
  });

  test.each([
    [',', 'QUARTERDECK_SIGN_IN lists no method. List password, token, or google.'],
    ['sms,sms', 'QUARTERDECK_SIGN_IN contains "sms". Each item must be password, token, or google.'],
    ['token,', 'accepted'],
  ])('skip empty items in a list, and report each problem once: %s', (methods, expected) => {
    expect(readError([], { QUARTERDECK_SIGN_IN: methods })).toBe(expected);
  });

  test.each([
    ['QUARTERDECK_SIGNIN', "QUARTERDECK_SIGNIN isn't a setting. Did you mean QUARTERDECK_SIGN_IN?"],
    ['QUARTERDECK_CORS_ORIGIN', "QUARTERDECK_CORS_ORIGIN isn't a setting. Did you mean QUARTERDECK_CORS_ORIGINS?"],
    ['QUARTERDECK_TOKEN', 'accepted'],
    ['QUARTERDECK_ORG', 'accepted'],
    ['QUARTERDECK_API', 'accepted'],
    ['QUARTERDECK_E2E_PORTS', 'accepted'],
    ['ORIGIN', 'accepted'],
  ])('are not ignored if their names are misspelled: %s', (name, expected) => {
    expect(readError([], { [name]: 'x' })).toBe(expected);
  });

  test('have their defaults if the variables are empty', () => {
    const names = ['QUARTERDECK_HOST', 'QUARTERDECK_SIGN_IN', 'QUARTERDECK_ORIGIN', 'DATABASE_URL', 'SMTP_URL'];
    expect(readSettings([], Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readSettings([], {}));
  });

  test('are all in the README', async () => {
    const readme = await readFile('README.md', 'utf8');
    const withTable = readme.replace(/^\| setting \| meaning .*\n(\|.*\n)+/m, settingsTable);
    await expect(withTable).toMatchFileSnapshot('../../README.md');
  });
});

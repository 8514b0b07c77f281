import * as v from 'valibot';

import { isEmailAddress } from '#commands/text/email.ts';
import { nearestNames } from '#commands/text/near.ts';
import type { ExportPace } from '#server/base/config.ts';
import { UsageError } from '#server/base/options.mjs';
import { SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { isDemoProject } from '#server/demo/identity/unsecured.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const SIGN_IN_METHODS = ['password', 'token', 'google'] as const;

/** The maximum length of a rejected value in a message. */
const MAX_QUOTED_LENGTH = 99;

/** Quotes a rejected value in a message, truncated and without the user name and password of a URL. */
export function quote(value: unknown): string {
  const text = String(value).replace(/\/\/.*@/s, '//…@');
  return `"${text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text}"`;
}

const mustBe =
  (expected: string) =>
  ({ input }: { readonly input: unknown }): string =>
    `must be ${expected}, not ${quote(input)}.`;

/** Like {@link mustBe}, for a value that can contain a password. */
const mustBeUnquoted = (expected: string) => `must be ${expected}.`;

const url = (protocols: RegExp, message: v.ErrorMessage<v.CheckIssue<string>>) =>
  v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && protocols.test(new URL(text).protocol), message),
  );

const HTTP = /^https?:$/;

/**
 * True for an origin in the form that browsers send: the scheme, the host in lowercase, a non-default port if any, and
 * nothing else.
 */
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && HTTP.test(new URL(text).protocol) && new URL(text).origin === text;

const items = v.transform((text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const expectedItems =
  (expected: string) =>
  ({ input }: { readonly input: unknown }): string =>
    `contains ${quote(input)}. Each item must be ${expected}.`;

const MAX_PACE_ROWS = 5000;
const MAX_PACE_SECONDS = 60;

/** Reads the pace of exports; undefined if it is invalid. */
function readPace(text: string): ExportPace | undefined {
  const [, rows = '', seconds = ''] = /^(\d{1,4})\/(\d{1,2})s$/.exec(text) ?? [];
  const pace = { rows: Number(rows), pauseMs: Number(seconds) * 1000 };
  return pace.rows >= 1 && pace.rows <= MAX_PACE_ROWS && pace.pauseMs <= MAX_PACE_SECONDS * 1000 ? pace : undefined;
}

/**
 * Defines how to check and convert each setting of the server, and its row in the README. `unset` describes the
 * default, and `needs` names a setting that must be set as well.
 */
const SETTINGS = v.object({
  QUARTERDECK_FIREBASE_PROJECT: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.check(
          (project) => !isDemoProject(project),
          ({ input }) => `is ${quote(input)}, but "demo-…" projects don't exist at Google.`,
        ),
      ),
    ),
    v.metadata({
      meaning: 'the Firebase project that users sign in with',
      unset: 'the embedded provider',
      needs: 'QUARTERDECK_FIREBASE_API_KEY',
    }),
  ),
  QUARTERDECK_FIREBASE_API_KEY: v.pipe(
    v.optional(v.string()),
    v.metadata({ meaning: "that project's web API key", unset: '', needs: 'QUARTERDECK_FIREBASE_PROJECT' }),
  ),
  QUARTERDECK_ORIGIN: v.pipe(
    v.optional(url(HTTP, mustBe('a URL such as https://console.example.com'))),
    v.transform((text) => text && new URL(text).origin),
    v.metadata({
      meaning: 'the URL of the console, also used for links in emails',
      unset: 'the URL of the server',
    }),
  ),
  QUARTERDECK_HOST: v.pipe(v.optional(v.string(), '127.0.0.1'), v.metadata({ meaning: 'the address to listen on' })),
  QUARTERDECK_SIGN_IN: v.pipe(
    v.optional(v.string(), SIGN_IN_METHODS.join(',')),
    items,
    v.array(v.picklist(SIGN_IN_METHODS, expectedItems('password, token, or google'))),
    v.minLength(1, 'lists no method. List password, token, or google.'),
    v.transform((values) => new Set(values)),
    v.metadata({ meaning: 'the sign-in methods offered' }),
  ),
  DATABASE_URL: v.pipe(
    v.optional(url(/^postgres(ql)?:$/, mustBeUnquoted('a URL such as postgres://user:password@host/database'))),
    v.metadata({ meaning: 'the PostgreSQL database to use', unset: 'the embedded database' }),
  ),
  QUARTERDECK_SEALING_KEY: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => Buffer.from(text, 'base64')),
        v.check(
          ({ length }) => length === SEALING_KEY_BYTES,
          ({ input: { length } }) => `must be ${SEALING_KEY_BYTES} bytes in base64, not ${length}.`,
        ),
      ),
    ),
    v.metadata({
      meaning: 'the key that encrypts the secrets in the database',
      unset: '`sealing.key` in the data folder',
    }),
  ),
  SMTP_URL: v.pipe(
    v.optional(url(/^smtps?:$/, mustBeUnquoted('a URL such as smtp://user:password@host:587'))),
    v.metadata({
      meaning: 'the mail server',
      unset: 'emails stay queued; the demo shows them at `/outbox`',
      needs: 'QUARTERDECK_MAIL_FROM',
    }),
  ),
  QUARTERDECK_MAIL_FROM: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.check(
          (text) => isEmailAddress(/<([^<>]*)>$/.exec(text)?.[1] ?? text),
          mustBe('an address such as Console <console@example.com>'),
        ),
      ),
    ),
    v.metadata({ meaning: 'the sender of emails: an address or `Name <address>`', unset: '' }),
  ),
  QUARTERDECK_CORS_ORIGINS: v.pipe(
    v.optional(v.string(), ''),
    items,
    // Accept only origins in the form that browsers send, and no wildcards.
    v.array(v.pipe(v.string(), v.check(isOrigin, expectedItems('an origin such as https://console.example.com')))),
    v.transform((values) => new Set(values)),
    v.metadata({
      meaning: 'consoles hosted elsewhere that may call this server: exact origins, separated by commas',
      unset: 'none',
    }),
  ),
  QUARTERDECK_HELP_DESK_URL: v.pipe(
    v.optional(url(HTTP, mustBe('a URL such as https://help.example.com/access/jwt'))),
    v.metadata({
      meaning: "the help desk that users are signed in to (Zendesk's protocol: JWT, HS256)",
      unset: "the demo's own page",
      needs: 'QUARTERDECK_HELP_DESK_SECRET',
    }),
  ),
  QUARTERDECK_HELP_DESK_SECRET: v.pipe(
    v.optional(v.string()),
    v.metadata({ meaning: 'its shared secret', unset: '', needs: 'QUARTERDECK_HELP_DESK_URL' }),
  ),
  QUARTERDECK_EXPORT_PACE: v.pipe(
    v.optional(v.string(), '250/5s'),
    v.transform(readPace),
    v.check((pace) => pace !== undefined, mustBeUnquoted('rows and a pause, such as 250/5s; at most 5000/60s')),
    v.transform((pace) => pace as ExportPace),
    v.metadata({ meaning: 'how many rows an export writes at a time, and the pause in between' }),
  ),
  QUARTERDECK_EXPORT_FORMULAS: v.pipe(
    v.optional(v.picklist(['neutralize', 'keep'], mustBe('neutralize or keep')), 'neutralize'),
    v.metadata({
      meaning: 'whether an apostrophe keeps spreadsheets from running text in exported CSV files as a formula',
    }),
  ),
  SENTRY_DSN: v.pipe(
    v.optional(url(HTTP, mustBeUnquoted('a URL such as https://key@sentry.example.com/1'))),
    v.metadata({ meaning: 'where the console reports its errors', unset: 'nowhere' }),
  ),
  QUARTERDECK_BUILD: v.pipe(
    v.optional(v.string()),
    v.metadata({ meaning: "a commit, shown as the server's version", unset: 'the version alone' }),
  ),
});

interface SettingMetadata {
  readonly meaning: string;
  readonly unset?: string;
  readonly needs?: string;
}

const settingRows = (Object.entries(SETTINGS.entries) as [string, v.GenericSchema][]).map(
  ([name, schema]): SettingMetadata & { readonly name: string; readonly fallback: string } => ({
    ...(v.getMetadata(schema) as unknown as SettingMetadata),
    name,
    fallback: 'default' in schema ? String(schema.default) : '',
  }),
);

const PREFIX = 'QUARTERDECK_';

/** The variables that other programs than the server read. */
const OTHER_VARIABLES = ['SERVER', 'TOKEN', 'ORG', 'API', 'CHROMIUM', 'FIREFOX'].map((name) => `${PREFIX}${name}`);

/** Returns the problems of variables whose names are similar to a setting's, which would have no effect. */
function misspellings(environment: Environment): readonly string[] {
  const settings = settingRows.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
  const known = new Set([...settings, ...OTHER_VARIABLES]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name))
    .flatMap((name) => {
      const suffixes = settings.map((setting) => setting.slice(PREFIX.length));
      const [nearest] = nearestNames(name.slice(PREFIX.length), suffixes);
      return nearest === undefined ? [] : [`${name} isn't a setting. Did you mean ${PREFIX}${nearest}?`];
    });
}

/**
 * Reads and checks all settings. An empty variable counts as unset.
 *
 * @throws UsageError with a sentence for each invalid setting
 */
export function readEnvironment(environment: Environment): v.InferOutput<typeof SETTINGS> {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, text]) => text));
  const result = v.safeParse(SETTINGS, nonEmpty);
  const problems = [
    ...(result.issues ?? []).map(({ path, message }) => `${String(path?.[0].key)} ${message}`),
    ...misspellings(nonEmpty),
    ...settingRows
      .filter(({ name, needs }) => nonEmpty[name] && needs && !nonEmpty[needs])
      .map(({ name, needs }) => `${name} needs ${needs}. Set both or neither.`),
  ];
  // A list can contain the same invalid item twice.
  if (!result.success || problems.length > 0) throw new UsageError([...new Set(problems)].join('\n'));
  return result.output;
}

/** Returns the settings as a Markdown table. */
export function settingsTable(): string {
  const rows = settingRows.map(
    ({ name, meaning, unset, fallback }) => `| \`${name}\` | ${meaning} | ${unset ?? `\`${fallback}\``} |\n`,
  );
  return ['| setting | meaning | default |\n', '|---|---|---|\n', ...rows].join('');
}

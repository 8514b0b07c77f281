import { demoPeople } from '#server/demo/seed/people.ts';

import type { Settings } from './settings.ts';

export interface StartResult {
  /** The URL of the console. */
  readonly address: string;
  /** The secret token for creating the first organization. Undefined if there already is one. */
  readonly token: string | undefined;
}

/** Returns the message that announces a successful start in the terminal. */
export function announcement(settings: Settings, { address, token }: StartResult, seconds: number): string {
  const { config, dataFolder, databaseUrl } = settings;
  const lines = [
    '',
    `  Quarterdeck is ready at ${address}  (${seconds.toFixed(1)} s)`,
    '',
    ...(config.demo ? [...demoSignIns(), ''] : []),
    ...(token === undefined ? [] : [...firstSteps(config.origin || address, token), '']),
    `  Data      ${databaseUrl === undefined ? dataFolder : `${withoutPassword(databaseUrl)}; identities and key in ${dataFolder}`}`,
    ...(config.demo && config.smtp === undefined ? [`  Emails    ${config.origin || address}/outbox`] : []),
    ...(config.allowLoopbackDeliveries ? ['  Webhooks  can call this machine, for testing'] : []),
    ...(config.rate > 0 ? [`  Fleet     simulated, ${config.rate} messages a second`] : []),
    '  Stop      Ctrl-C',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the first steps, with the creation token. The token appears only here. It is never logged, and the next
 * startup issues a new one.
 */
const firstSteps = (origin: string, token: string): string[] => [
  '  No organization exists yet. To create the first one and administer this installation,',
  `    sign in, open ${origin}/organization/create, and enter`,
  `    ${token}`,
];

function demoSignIns(): string[] {
  const width = Math.max(...demoPeople.map(({ email }) => email.length));
  return [
    '  Sign in as',
    ...demoPeople.map(
      ({ kind, email, password }) =>
        `    ${email.padEnd(width)}  ${password}  ${kind === 'support' ? 'support staff' : kind}`,
    ),
  ];
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  return parsed.href;
}

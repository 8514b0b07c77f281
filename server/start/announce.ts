import { demoPeople } from '../db/seed/people.ts';
import type { Settings } from './settings.ts';

/** What a start tells the person at the terminal, once everything answers. */
export function announcement(settings: Settings, address: string, seconds: number): string {
  const { config, dataFolder, databaseUrl } = settings;
  const lines = [
    '',
    `  Quarterdeck is ready at ${address}  (${seconds.toFixed(1)} s)`,
    '',
    ...(config.demo ? [...demoSignIns(), ''] : []),
    `  Data      ${databaseUrl === undefined ? dataFolder : `${withoutPassword(databaseUrl)}; identities and key in ${dataFolder}`}`,
    ...(config.demo && config.smtp === undefined ? [`  Mails     ${config.origin || address}/outbox`] : []),
    ...(config.allowLoopbackDeliveries ? ['  Webhooks  may call this machine itself, for trying them out'] : []),
    ...(config.rate > 0 ? [`  Fleet     simulated, ${config.rate} messages a second`] : []),
    '  Stop      Ctrl-C',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

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

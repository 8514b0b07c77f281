import { ConnectError, Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { exampleOf } from '#commands/cli/examples.ts';
import { printLine } from '#commands/line/line.ts';
import { abilities, isPersonal, type Ability } from '#commands/model/ability.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { registry } from './all.ts';

// Interfaces only disable commands without permission; the server must refuse them.

let server: TestServer;
/** A viewer whose client believes it has every permission. */
let overconfident: Context;
let deviceNumber: string;
beforeAll(async () => {
  server = await startTestServer();
  const viewer = await contextAs(server, 'viewer');
  const features = new Set(['MODEM_CREATION']);
  const everyAbility = new Set(Object.keys(abilities) as Ability[]);
  overconfident = {
    ...viewer,
    actor: { ...viewer.actor, abilities: everyAbility },
    organization: {
      ...viewer.organization,
      features,
      supportSession: { id: '1', reason: '', endsAt: 0, changesAllowed: true },
    },
  };
  const administrator = await contextAs(server, 'administrator');
  const { outcome } = await type(administrator, 'device create Bare');
  deviceNumber = outcome.results![0]!.id;
  await type(administrator, 'tag create Other');
  await type(administrator, `tag assign '${deviceNumber}' --tag Mine`);
});
afterAll(() => server.close());

/**
 * Replaces help examples that the client would refuse or that would change nothing here. `#` stands for a device.
 */
const replacements: Readonly<Record<string, string>> = {
  'support.issue-creation-token': 'support issue-creation-token a@b.example',
  'device.edit': "device edit '#' --notes x",
  'device.set-lifecycle': "device set-lifecycle '#' PAUSED",
  'device.set-secure-notes': "device set-secure-notes '#' --secure-notes x",
  'device.set-time-zone': "device set-time-zone '#' Asia/Tokyo",
  'device.set-expected-rate': "device set-expected-rate '#' 7",
  'device.set-peripherals': "device set-peripherals '#' --add x=1",
  'organization.create': 'organization create acme --contact-name A --contact-email a@b.example',
  'organization.edit': "organization edit '*' --city x",
  'tag.unassign': "tag unassign '#' --tag Mine",
  'tag.edit': "tag edit '*' --priority 7",
  'tag.rename': 'tag rename Mine y',
  'webhook.tag': "webhook tag '*' --add Mine",
  'webhook.resend': 'webhook resend example 7',
  'user.set-roles': "user set-roles '*' viewer",
  'user.add-roles': "user add-roles '*' viewer",
  'user.remove-roles': "user remove-roles '*' viewer",
  'invitation.invite-again': "invitation invite-again '*' viewer",
  'access-request.approve': "access-request approve '*' viewer",
  'user.create': 'user create a@b.example Name --roles viewer',
  'user.invite': 'user invite a@b.example viewer',
  'user.set-sign-in-rules': 'user set-sign-in-rules --verified',
};

/** A line that would change something: the command's example, applied to the device or to all items. */
function exampleLine(command: Command): string {
  const line = replacements[command.id];
  if (line !== undefined) return line.replace('#', deviceNumber);
  const { args } = exampleOf(command);
  const target = targetParam(command);
  const value = target?.entity.name === 'device' ? { ids: [deviceNumber] } : { query: '' };
  return printLine({ id: command.id, args: target ? { ...args, [target.name]: value } : args }, registry);
}

const guarded = registry.commands.filter(
  ({ effect, requires }) =>
    (effect === 'write' || effect === 'destructive') && requires.some((ability) => !isPersonal(ability)),
);

test.each(guarded.map((command) => [command.id, command] as const))(
  'the server refuses %s without permission',
  async (_, command) => {
    const codes = await type(overconfident, exampleLine(command)).then(
      ({ outcome }) => (outcome.results ?? []).map(({ failure }) => failure?.code),
      (error: unknown) => [error instanceof ConnectError ? Code[error.code] : String(error)],
    );
    expect(new Set(codes.map((code) => code?.replace('_', '').toLowerCase()))).toEqual(new Set(['permissiondenied']));
  },
);

import { ConnectError, Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createExample as helpExampleOf, createSample } from '#commands/line/examples.ts';
import { parseLine, printLine } from '#commands/line/line.ts';
import { abilities, isPersonal, type Ability } from '#commands/model/ability.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import { runContext, type Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { fileValue } from '#commands/model/files.ts';
import type { HostCapabilities, RowStream } from '#commands/model/host.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { listAll } from '#commands/run/lookup.ts';
import { resolveArgs } from '#commands/run/resolve.ts';
import { contextAs, invoke, planLine, type } from '#commands/testkit/server.ts';
import { device } from '#server/db/schema/device.ts';
import { runExports } from '#server/domains/data/export/run.ts';
import { isChange } from '#server/testkit/policies/effects.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { registry } from './all.ts';

// The console and the CLI disable commands that the user has no permission for, but the server must deny them too. A
// command whose effect is to read or to navigate needs no permission to change anything, so it must not change anything.

let server: TestServer;
/** The context of a viewer, modified so that the client enables every command. */
let uncheckedViewer: Context;
let administrator: Context;
let deviceNumber: string;
beforeAll(async () => {
  server = await startTestServer();
  const viewer = await contextAs(server, 'viewer');
  const features = new Set(['MODEM_CREATION', 'PROCESS_POINTS']);
  const everyAbility = new Set(Object.keys(abilities) as Ability[]);
  uncheckedViewer = {
    ...viewer,
    actor: { ...viewer.actor, abilities: everyAbility },
    organization: {
      ...viewer.organization,
      features,
      supportSession: { id: '1', reason: '', endsAt: 0, changesAllowed: true },
    },
  };
  administrator = await contextAs(server, 'administrator');
  const { outcome } = await type(administrator, 'device create Bare');
  deviceNumber = outcome.results![0]!.id;
  await type(administrator, 'process-point create Gauge');
  await type(administrator, 'tag create Other');
  await type(administrator, `tag assign '${deviceNumber}' --tag Mine`);
  await type(administrator, `parser upload --definition '${DEFINITION}' --name Probe`);
  await type(administrator, 'parser create-simple Simple a:u1');
  await type(administrator, 'parser create-simple Assigned a:u1');
  await type(administrator, `parser assign '${deviceNumber}' --parser Assigned`);
  await type(administrator, 'parser assign-to-tags Mine --parser Assigned');
  await type(administrator, `device add-note '${deviceNumber}' Old`);
  await type(administrator, 'device create Talker');
  await type(administrator, 'device send-test-message Talker ff');
  await type(administrator, 'organization create probe-users --contact-name A --contact-email a@b.example');
  await type(administrator, 'parser make-available Assigned probe-users');
  await type(administrator, 'field create Probe state --values open,shut');
  await type(administrator, 'device create Traveler');
  await type(administrator, 'transfer start Traveler probe-users --acknowledge');
  const probeUsers = await contextAs(server, 'administrator', 'probe-users');
  await type(probeUsers, `transfer start Traveler '${administrator.organization.id}' --acknowledge`);
  for (const entity of registry.entities) await createFirst(entity);
  await runExports(server.app);
  await type(administrator, `device attach-file '${deviceNumber}' '${KEPT}'`);
  await type(administrator, `process-point attach-file '*' '${KEPT}'`);
  await type(administrator, `tag attach-file Mine '${KEPT}'`);
  await server.app.db.orm
    .update(device)
    .set({ requiredFirmware: 'pressure-lora-2.1.9.0' })
    .where(eq(device.number, deviceNumber));
  await type(administrator, "process-point tag '*' Mine");
});
afterAll(() => server.close());

/** If the seed has no items of an entity, creates one from the example of its `create` command. */
async function createFirst(entity: AnyEntity): Promise<void> {
  const command = registry.command(`${entity.name}.create`);
  if (!command || (await listAll(entity, '', administrator)).length > 0) return;
  await invoke(administrator, helpExampleOf(command));
}

const DEFINITION = '{meta: {id: probe}, seq: [{id: state, type: u1}]}';
const DEFINITION_FILE = fileValue({
  name: 'probe.ksy',
  mediaType: 'application/yaml',
  bytes: new TextEncoder().encode(DEFINITION),
});

const textFile = (name: string): string =>
  fileValue({ name, mediaType: 'text/plain', bytes: new TextEncoder().encode('text') });
const PHOTO = textFile('photo.txt');
const KEPT = textFile('kept.txt');

/**
 * Lines to use when the client would reject a command's own example or the example would change nothing. `#` stands for
 * a device.
 */
const replacements: Readonly<Record<string, string>> = {
  'support.issue-creation-token': 'support issue-creation-token a@b.example',
  'device.set-secure-notes': "device set-secure-notes '#' --secure-notes x",
  'device.set-time-zone': "device set-time-zone '#' Asia/Tokyo",
  'device.set-expected-rate': "device set-expected-rate '#' 7",
  'organization.create': 'organization create acme --contact-name A --contact-email a@b.example',
  'organization.edit': 'organization edit probe-users --contact-name B',
  'device.attach-file': `device attach-file '#' '${PHOTO}'`,
  'device.detach-file': "device detach-file '#' kept.txt",
  'device.delete-file': "device delete-file '#' kept.txt",
  'process-point.attach-file': `process-point attach-file '*' '${PHOTO}'`,
  'process-point.detach-file': "process-point detach-file '*' kept.txt",
  'process-point.delete-file': 'process-point delete-file Gauge kept.txt',
  'tag.attach-file': `tag attach-file Mine '${PHOTO}'`,
  'tag.detach-file': 'tag detach-file Mine kept.txt',
  'tag.delete-file': 'tag delete-file Mine kept.txt',
  'tag.download-file': 'tag download-file Mine kept.txt',
  'tag.unassign': "tag unassign '#' --tag Mine",
  'tag.rename': 'tag rename Mine y',
  'process-point.set-metadata': "process-point set-metadata '*' --add site=north",
  'process-point.assign-device': "process-point assign-device Gauge '#'",
  'process-point.unassign-device': "process-point unassign-device Gauge '#'",
  'process-point.move-assignment': "process-point move-assignment Gauge '#' --from 2026-01-31",
  'process-point.import-assignments': "process-point import-assignments '#,Gauge,2026-01-31'",
  'tag.import': "tag import 'name\nImported'",
  'process-point.import': "process-point import 'name\nImported'",
  'webhook.import': "webhook import 'url\nhttps://example.com/imported'",
  'invitation.import': "invitation import 'email,roles\nimported@example.com,Viewer'",
  'device.import': "device import 'number,name\n#,Imported'",
  'process-point.untag': "process-point untag '*' Mine",
  'transfer.start': "transfer start '#' northwind-north --acknowledge",
  'transfer.start-to-new':
    "transfer start-to-new '#' other-trials --contact-name A --contact-email a@b.example --acknowledge",
  'webhook.resend': 'webhook resend example 7',
  'parser.upload': `parser upload --definition '${DEFINITION}' --name Other`,
  'parser.create-simple': 'parser create-simple Other a:u1',
  'parser.edit': 'parser edit Probe --name Other',
  'parser.rename': 'parser rename Probe Other',
  'parser.set-fields': 'parser set-fields Simple b:u1',
  'parser.duplicate': 'parser duplicate Probe',
  'parser.assign': "parser assign '#' --parser Probe",
  'parser.unassign': "parser unassign '#' --parser Assigned",
  'parser.assign-to-tags': 'parser assign-to-tags Mine --parser Probe',
  'parser.unassign-from-tags': 'parser unassign-from-tags Mine --parser Assigned',
  'parser.make-available': 'parser make-available Probe probe-users',
  'parser.make-unavailable': 'parser make-unavailable Assigned probe-users',
  'parser.set-availability': 'parser set-availability Probe --all',
  'parser.retry': "parser retry Assigned -1h..now --devices '*'",
  'field.create': 'field create Probe other',
  'field.edit': 'field edit state --display-name Other',
  'field.add-value': 'field add-value state half',
  'field.edit-value': 'field edit-value state open --name Open',
  'field.remove-value': 'field remove-value state open',
  'user.create': 'user create a@b.example Name --roles viewer',
  'user.invite': 'user invite a@b.example viewer',
  'device.edit-note': "device edit-note '#' 1 --text New",
  'device.locations': "device locations '#'",
  'device.notes': "notes '#'",
  'device.open': "device open '#'",
  'organization.open': 'organization open probe-users',
  'organization.act-as': 'organization act-as probe-users',
  'support.act-as': 'support act-as probe-users other',
  'parser.open-bench': 'parser open-bench Probe',
  'parser.check': `parser check '${DEFINITION_FILE}' --parser Probe`,
};

/** Returns a command's example, changed to use the test device or all items, existing references, and new names. */
async function createExample(command: Command): Promise<Invocation> {
  const { id, args } = helpExampleOf(command);
  const entries = Object.keys(args).map(async (name) => [name, await createExampleArg(command, name)] as const);
  return { id, args: Object.fromEntries(await Promise.all(entries)) };
}

async function createExampleArg(command: Command, name: string): Promise<ArgValue> {
  const param = command.params[name]!;
  if (param.kind === 'many') return param.entity().name === 'device' ? { ids: [deviceNumber] } : { query: '' };
  if (param.kind === 'text' && param.placeholder === undefined) return 'Another text';
  if (param.kind !== 'ref' && param.kind !== 'refs') return createSample(param);
  const [first] = await listAll(param.entity(), '', administrator);
  const reference = first === undefined ? 'none' : `#${param.entity().id(first)}`;
  return param.kind === 'ref' ? reference : [reference];
}

/**
 * Returns a line that would change something, which is the example or the example with one optional param.
 *
 * @throws Error with the reasons if no such line exists
 */
async function findChangingLine(command: Command): Promise<string> {
  const replacement = replacements[command.id];
  if (replacement !== undefined) return replacement.replace('#', deviceNumber);
  const { id, args } = await createExample(command);
  const options = Object.keys(command.params).filter((name) => !(name in args));
  const reasons: string[] = [];
  for (const option of [undefined, ...options]) {
    const extraArgs = option === undefined ? {} : { [option]: await createExampleArg(command, option) };
    const line = printLine({ id, args: { ...args, ...extraArgs } }, registry);
    const reason = await explainNoChange(line);
    if (reason === undefined) return line;
    reasons.push(`${line}: ${reason}`);
  }
  throw new Error(
    `No example of ${id} changes anything here. In beforeAll, create an item that it changes, or add an entry to replacements. Tried: ${reasons.join('; ')}`,
  );
}

/**
 * Explains why a line would change nothing. Returns undefined if it would change something or the server rejects its
 * plan.
 */
async function explainNoChange(line: string): Promise<string | undefined> {
  try {
    const plan = await planLine(uncheckedViewer, line);
    return plan?.count === 0 ? 'nothing to change' : undefined;
  } catch (error) {
    if (error instanceof CommandError) return JSON.stringify(error.userMessage);
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}

const guardedCommands = registry.commands.filter(
  ({ effect, requires }) =>
    (effect === 'write' || effect === 'destructive') && requires.some((ability) => !isPersonal(ability)),
);

test.each(guardedCommands.map((command) => [command.id, command] as const))(
  'denies %s without permission',
  async (_, command) => {
    const codes = await type(uncheckedViewer, await findChangingLine(command)).then(
      ({ outcome }) => (outcome.results ?? []).map(({ failure }) => failure?.code),
      (error: unknown) => [error instanceof ConnectError ? Code[error.code] : String(error)],
    );
    expect(new Set(codes.map((code) => code?.replace('_', '').toLowerCase()))).toEqual(new Set(['permissiondenied']));
  },
);

/** Commands that read an item of the caller that the seed doesn't have and that only other users can create. */
const WITHOUT_ITEM: ReadonlySet<string> = new Set(['invitation.open', 'access-request.open', 'support-session.open']);

/** The rpcs through which a command that reads or navigates may affect the caller. */
const OWN_CHANGES: Readonly<Record<string, readonly string[]>> = {
  // Remembers that the user has seen the introduction.
  'help.tour': ['CurrentUserService.UpdateMissionControlSettings'],
  // Issues a token that signs in to another server.
  'me.help-desk-token': ['SingleSignOnService.Zendesk'],
  // Begins the caller's own support session, which is how staff enter an organization.
  'support.act-as': ['SupportService.BeginSupportSession'],
};

/** A capability that accepts every call, waits for its arguments, reads their rows, and returns nothing. */
const accept = (): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) => (name === 'then' ? undefined : accept()),
    apply: async (_, __, args: readonly Promise<Partial<RowStream> | undefined>[]) => {
      for (const argument of await Promise.all(args)) {
        for await (const rows of argument?.batches ?? []) expect(rows).toBeDefined();
      }
    },
  });

/** The host of a terminal, which has an output, or of the console, which has everything else. */
const createHost = (isTerminal: boolean): Partial<HostCapabilities> =>
  new Proxy(
    { identity: { current: () => undefined } },
    {
      get: (host, name, receiver) => {
        if (name in host) return Reflect.get(host, name, receiver) as unknown;
        return (name === 'output') === isTerminal ? accept() : undefined;
      },
    },
  );

/** Returns the administrator's context, with an api that rejects changes and adds their names to `changes`. */
function createReadOnlyContext(host: Context['host'], changes: string[]): Context {
  const context: Context = {
    ...administrator,
    host,
    api: (service) =>
      new Proxy(administrator.api(service), {
        get(client, name, receiver) {
          const method = service.method[String(name)];
          if (!method || !isChange(method)) return Reflect.get(client, name, receiver) as unknown;
          return () => {
            changes.push(`${service.name}.${method.name}`);
            throw new Error('This context is read-only.');
          };
        },
      }),
    loadCached: (_key, load) => load(context),
  };
  return context;
}

/** Returns the arguments of a command's replacement or example. */
async function createArgs(command: Command): Promise<Invocation['args']> {
  const replacement = replacements[command.id]?.replace('#', deviceNumber);
  return replacement === undefined
    ? (await createExample(command)).args
    : parseLine(replacement, registry).invocation!.args;
}

const readingCommands = registry.commands.filter(({ effect }) => effect === 'read' || effect === 'navigate');

test.each(readingCommands.map((command) => [command.id, command] as const))(
  '%s changes nothing, as its effect declares',
  async (id, command) => {
    const changes: string[] = [];
    const args = await createArgs(command);
    const resolvedArgs = await resolveArgs(command, args, createReadOnlyContext({}, changes)).catch(
      (error: unknown) => {
        if (!WITHOUT_ITEM.has(id)) throw error;
      },
    );
    for (const isTerminal of [true, false]) {
      const context = runContext(createReadOnlyContext(createHost(isTerminal), changes), false);
      // Some commands fail because they belong to the other host, or because this one returns nothing.
      if (resolvedArgs) await command.run(context, resolvedArgs).catch(() => undefined);
    }
    expect(changes.filter((name) => !OWN_CHANGES[id]?.includes(name))).toEqual([]);
  },
);

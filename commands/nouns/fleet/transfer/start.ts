import type { MessageInitShape } from '@bufbuild/protobuf';

import { send, type SendOptions } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { command, type Resolved } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { entityLabels } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { succeededResults, type Outcome } from '#commands/model/result.ts';
import { SELECTION } from '#commands/model/target.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { organizationIdOf, type Device } from '#commands/nouns/fleet/device/item.ts';
import { ALL_LIFECYCLES } from '#commands/nouns/fleet/device/lifecycle.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import type { OrganizationItem } from '#commands/nouns/people/organization/item.ts';
import {
  organizationIdProblem,
  organizationParams,
  suggestOrganizationId,
} from '#commands/nouns/people/organization/params.ts';
import { MAX_LENGTH, MAX_TRANSFER_DEVICES } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { type PerformTransfer_RequestSchema, TransferService } from '#proto/gen/hiber/transfer_pb.ts';

import { countLosses } from './losses.ts';

/** The recipient in a request, and its name for messages. */
interface Recipient {
  readonly name: string;
  readonly request: MessageInitShape<typeof PerformTransfer_RequestSchema>['recipientOrganizationOrCreate'];
}

const NOT_ACKNOWLEDGED = message('transfer:validation.acknowledge');

/** Params of both commands. Spec 5 requires the acknowledgement. */
const sharedParams = {
  acknowledge: required(
    p.flag({ check: (value) => (value ? undefined : NOT_ACKNOWLEDGED), missingMessage: NOT_ACKNOWLEDGED }),
  ),
  comment: p.text({ maxLength: MAX_LENGTH.transferComment }),
};

const devicesParam = p.many(() => device);

function requireFewDevices(items: readonly Device[]): void {
  if (items.length <= MAX_TRANSFER_DEVICES) return;
  const values = { count: items.length, max: MAX_TRANSFER_DEVICES };
  throw new CommandError(message('transfer:validation.tooMany', values), 'devices');
}

async function plan(context: Context, items: readonly Device[], recipient: Recipient): Promise<Plan> {
  requireFewDevices(items);
  const [first, ...others] = items;
  const losses = await countLosses(context, items);
  return {
    summary: message('transfer:plan.start', {
      items: entityLabels.count(device, items.length),
      recipient: recipient.name,
    }),
    count: items.length,
    changes: items.map((item) => ({
      id: device.id(item),
      label: device.label(item),
      field: message('transfer:fields.organization'),
      before: item.organizations?.get(organizationIdOf(item)) ?? organizationIdOf(item),
      after: recipient.name,
    })),
    notes: [...losses, ...(await exportHint(context, items))],
    reversible: false,
    confirm: first && others.length === 0 ? device.id(first) : `${items.length}`,
  };
}

/** The maximum number of devices to name in a command. */
const MAX_NAMED = 5;

/** Returns the command that keeps a copy of the messages, for those who may export them. */
async function exportHint({ actor, host }: Context, items: readonly Device[]): Promise<readonly Message[]> {
  const canExport = (['EXPORT', 'VIEW_MESSAGES'] as const).every((ability) => actor.abilities.has(ability));
  if (!canExport || !host.line) return [];
  const devices = items.length > MAX_NAMED ? SELECTION : { ids: items.map(device.id) };
  const range = { start: '1970-01-01', end: 'now' };
  return [
    message('transfer:plan.export', { line: await host.line.print({ id: 'export.create', args: { devices, range } }) }),
  ];
}

async function run(
  context: RunContext,
  items: readonly Device[],
  { name, request }: Recipient,
  comment = '',
): Promise<Outcome> {
  requireFewDevices(items);
  const options: SendOptions<Device, undefined> = {
    // Each transfer has one sender. The devices can belong to several sub-organizations.
    organization: organizationIdOf,
    size: MAX_TRANSFER_DEVICES,
    call: async ({ api, organization: sender, signal }, part) => {
      const value = { modems: { include: part.map(device.id) }, lifecycles: { include: ALL_LIFECYCLES } };
      const type = { case: 'devices' as const, value };
      await api(TransferService).transfer(
        { organization: sender, recipientOrganizationOrCreate: request, comment: comment.trim(), type },
        { signal },
      );
    },
  };
  const { results } = await send(context, device, options, items, undefined);
  const { length: count } = succeededResults({ results });
  return {
    changed: ['device', 'transfer', 'outbound-transfer', 'tag'],
    results,
    message: count === 0 ? message('common:done.nothing') : message('transfer:done.start', { count, recipient: name }),
  };
}

const toExisting = (item: OrganizationItem): Recipient => ({
  name: organization.label(item),
  request: { case: 'recipientOrganization', value: organization.id(item) },
});

/** Transfers devices to an organization that the user can access. */
export const startTransfer = command({
  id: 'transfer.start',
  on: () => device,
  requires: 'SEND_TRANSFER',
  effect: 'destructive',
  keys: [LETTERS.transfer],
  params: { devices: devicesParam, recipient: required(p.ref(() => organization)), ...sharedParams },
  positional: ['devices', 'recipient'],
  problems: (_context, { devices, recipient }) => {
    const own = devices.items.find((item) => organizationIdOf(item) === organization.id(recipient));
    return own ? { recipient: message('transfer:validation.own', { device: device.label(own) }) } : {};
  },
  plan: (context, { devices, recipient }) => plan(context, devices.items, toExisting(recipient)),
  run: (context, { devices, recipient, comment }) => run(context, devices.items, toExisting(recipient), comment),
});

const newParams = {
  id: required(
    p.text({
      maxLength: MAX_LENGTH.organizationId,
      check: organizationIdProblem,
      placeholder: 'acme-north',
      suggest: suggestOrganizationId,
    }),
  ),
  name: organizationParams.name,
  contactName: required(organizationParams.contactName),
  contactEmail: required(organizationParams.contactEmail),
};

const toNew = ({ id, name, contactName, contactEmail }: Resolved<typeof newParams>): Recipient => ({
  name: name?.trim() || id.trim(),
  request: {
    case: 'newOrganization',
    value: {
      newOrganization: id.trim(),
      ...(name?.trim() ? { displayName: name.trim() } : {}),
      contact: { name: contactName, email: contactEmail.trim() },
    },
  },
});

/**
 * Transfers devices to a new sub-organization. The devices must belong to one organization, under which it is created.
 */
export const startTransferToNew = command({
  id: 'transfer.start-to-new',
  on: () => device,
  requires: ['SEND_TRANSFER', 'CREATE_ORGANIZATION'],
  effect: 'destructive',
  params: { devices: devicesParam, ...newParams, ...sharedParams },
  positional: ['devices', 'id'],
  problems: (_context, { devices }) =>
    new Set(devices.items.map(organizationIdOf)).size > 1
      ? { devices: message('transfer:validation.severalSenders') }
      : {},
  plan: async (context, { devices, ...args }) => {
    const { notes = [], ...rest } = await plan(context, devices.items, toNew(args));
    return { ...rest, notes: [message('transfer:plan.creates', { organization: args.id.trim() }), ...notes] };
  },
  run: async (context, { devices, comment, ...args }) => {
    const outcome = await run(context, devices.items, toNew(args), comment);
    return { ...outcome, changed: [...(outcome.changed ?? []), 'organization', 'me'] };
  },
});

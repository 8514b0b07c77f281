import { create } from '@bufbuild/protobuf';

import {
  DeviceSelectionSchema,
  DeviceService,
  UpdateDeviceSchema,
  type UpdateDevice,
} from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { CallContext } from '#commands/kit/bulk-action.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { only } from '#commands/kit/attributes.ts';
import { editCommand, type EditSpec } from '#commands/kit/edit-command.ts';
import type { Wanted } from '#commands/kit/editing.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { device } from './entity.ts';
import { deviceAttributes } from './attributes.ts';
import type { DeviceFieldName } from './fields.ts';
import { organizationIdOf, type Device } from './item.ts';
import { ALL_LIFECYCLES, lifecycleText, visibleLifecycles } from './lifecycle.ts';

/** The contract's update of these devices, whatever their lifecycle; nothing else set yet. */
function updateOf(items: readonly Device[]): UpdateDevice {
  const include = items.map(({ modem }) => modem.number);
  const selection = create(DeviceSelectionSchema, { modems: { include }, lifecycles: { include: ALL_LIFECYCLES } });
  return create(UpdateDeviceSchema, { selection });
}

/** One update for all devices of a call; `fill` writes what changes. */
export async function sendUpdate(
  { api, organization, signal }: CallContext,
  items: readonly Device[],
  fill: (update: UpdateDevice) => void,
): Promise<void> {
  const update = updateOf(items);
  fill(update);
  await api(DeviceService).update({ organization, devices: [update] }, { signal });
}

function various(items: readonly Device[], pick: (item: Device) => string): boolean {
  return new Set(items.map(pick)).size > 1;
}

/**
 * The bulk rules of spec 5: no name for several devices, and differing notes are overwritten only when that is
 * acknowledged.
 */
function bulkProblems(items: readonly Device[], wanted: Wanted, acknowledged: boolean): Record<string, Message> {
  if (items.length < 2) return {};
  const overwrites =
    (wanted['notes'] !== undefined && various(items, ({ modem }) => modem.notes)) ||
    (wanted['secureNotes'] !== undefined && various(items, ({ modem }) => modem.secureNotes));
  return {
    ...(wanted['name'] === undefined ? {} : { name: message('device:validation.bulkName') }),
    ...(overwrites && !acknowledged ? { overwriteNotes: message('device:validation.overwriteNotes') } : {}),
  };
}

/** Which lifecycles a person may see differs, and only those can be set; the server tells (contract: Lifecycle). */
async function refuseHidden(context: Context, wanted: Wanted): Promise<void> {
  const name = wanted['lifecycle'] as keyof typeof Modem_Lifecycle | undefined;
  if (name === undefined) return;
  const visible = await visibleLifecycles(context);
  if (visible.includes(Modem_Lifecycle[name])) return;
  throw new CommandError(message('device:validation.lifecycle', { value: lifecycleText(name) }), 'lifecycle');
}

interface EditOf {
  readonly verb: string;
  readonly fields: readonly DeviceFieldName[];
  readonly keys?: readonly string[];
  readonly asks?: boolean;
  readonly count?: EditSpec<Device>['count'];
}

export function editing({ verb, fields: names, keys, asks = true, count }: EditOf): Command {
  const fields = only(deviceAttributes.fields, ...names);
  const notes = names.includes('notes') || names.includes('secureNotes');
  const extra = asks ? Object.values(fields).flatMap(({ requires }) => requires ?? []) : [];
  return editCommand({
    of: device,
    verb,
    target: 'devices',
    fields,
    requires: ['EDIT_DEVICE', ...extra],
    ...(keys ? { keys } : {}),
    asks,
    ...(count ? { count } : {}),
    ...(notes ? { params: { overwriteNotes: p.flag() } } : {}),
    changed: ['device'],
    problems: (items, wanted, args) => bulkProblems(items, wanted, args['overwriteNotes'] === true),
    check: refuseHidden,
    organization: organizationIdOf,
    call: (context, items, { wanted, args }) =>
      sendUpdate(context, items, (update) => {
        for (const [name, value] of Object.entries(wanted)) fields[name]!.write(update, value);
        if (args['overwriteNotes'] === true) update.allowBulkNotes = update.allowBulkSecureNotes = true;
      }),
  });
}

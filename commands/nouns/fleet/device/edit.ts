import { create } from '@bufbuild/protobuf';

import { orderFields, pickFields } from '#commands/kit/attributes.ts';
import type { CallContext } from '#commands/kit/bulk-action.ts';
import { editCommand, type EditSpec } from '#commands/kit/edit-command.ts';
import type { NewValues } from '#commands/kit/editing.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  DeviceSelectionSchema,
  DeviceService,
  UpdateDeviceSchema,
  type UpdateDevice,
} from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';

import { deviceAttributes } from './attributes.ts';
import { device } from './entity.ts';
import { deviceFields, type DeviceFieldName } from './fields.ts';
import { organizationIdOf, type Device } from './item.ts';
import { ALL_LIFECYCLES, lifecycleText, loadVisibleLifecycles } from './lifecycle.ts';

/** Creates an empty update that selects the given devices, whatever their lifecycle. */
function createUpdate(items: readonly Device[]): UpdateDevice {
  const include = items.map(({ modem }) => modem.number);
  const selection = create(DeviceSelectionSchema, { modems: { include }, lifecycles: { include: ALL_LIFECYCLES } });
  return create(UpdateDeviceSchema, { selection });
}

/** Sends one update for all devices in a call. */
export async function sendUpdate(
  context: CallContext,
  items: readonly Device[],
  writeChanges: (update: UpdateDevice) => void,
): Promise<void> {
  const update = createUpdate(items);
  writeChanges(update);
  await sendUpdates(context, [update]);
}

/** Sends several updates in one call. The server makes all of them, or none. */
async function sendUpdates({ api, organization, signal }: CallContext, devices: UpdateDevice[]): Promise<void> {
  await api(DeviceService).update({ organization, devices }, { signal });
}

function valuesDiffer(items: readonly Device[], valueOf: (item: Device) => string): boolean {
  return new Set(items.map(valueOf)).size > 1;
}

/** Rejects giving several devices the same name, and requires confirmation to overwrite notes that differ (spec 5). */
function bulkProblems(items: readonly Device[], values: NewValues, isConfirmed: boolean): Record<string, Message> {
  if (items.length < 2) return {};
  const wouldOverwrite =
    (values['notes'] !== undefined && valuesDiffer(items, ({ modem }) => modem.notes)) ||
    (values['secureNotes'] !== undefined && valuesDiffer(items, ({ modem }) => modem.secureNotes));
  return {
    ...(values['name'] === undefined ? {} : { name: message('device:validation.bulkName') }),
    ...(wouldOverwrite && !isConfirmed ? { overwriteNotes: message('device:validation.overwriteNotes') } : {}),
  };
}

/**
 * Rejects a lifecycle that the caller can't see and so can't set. The server decides which lifecycles the caller sees
 * (contract: Lifecycle).
 */
async function rejectHiddenLifecycle(context: Context, values: NewValues): Promise<void> {
  const name = values['lifecycle'] as keyof typeof Modem_Lifecycle | undefined;
  if (name === undefined) return;
  const lifecycles = await loadVisibleLifecycles(context);
  if (lifecycles.includes(Modem_Lifecycle[name])) return;
  throw new CommandError(message('device:validation.lifecycle', { value: lifecycleText(name) }), 'lifecycle');
}

interface DeviceEdit {
  readonly verb: string;
  /** Defaults to all fields. */
  readonly fields?: readonly DeviceFieldName[];
  readonly keys?: readonly string[];
  readonly prompts?: boolean;
  readonly count?: EditSpec<Device>['count'];
}

const allFields = orderFields(deviceAttributes.fields, ...Object.keys(deviceFields));

export function editDeviceCommand({ verb, fields: names, keys, prompts = true, count }: DeviceEdit): Command {
  const fields = names ? pickFields(deviceAttributes.fields, ...names) : allFields;
  const hasNotes = 'notes' in fields || 'secureNotes' in fields;
  const extraAbilities = prompts ? Object.values(fields).flatMap(({ requires }) => requires ?? []) : [];
  return editCommand({
    entity: device,
    verb,
    target: 'devices',
    fields,
    requires: ['EDIT_DEVICE', ...extraAbilities],
    ...(keys ? { keys } : {}),
    prompts,
    ...(count ? { count } : {}),
    ...(hasNotes ? { params: { overwriteNotes: p.flag() } } : {}),
    // Devices that had the same notes are restored together, although their new notes can differ.
    restoreArgs: ({ notes, secureNotes }) =>
      notes === undefined && secureNotes === undefined ? {} : { overwriteNotes: true },
    changed: ['device'],
    problems: (items, values, args) => bulkProblems(items, values, args['overwriteNotes'] === true),
    check: rejectHiddenLifecycle,
    organization: organizationIdOf,
    call: {
      together: (context, edits) =>
        sendUpdates(
          context,
          edits.map(({ items, newValues, args }) => {
            const update = createUpdate(items);
            for (const [name, value] of Object.entries(newValues)) fields[name]!.write(update, value);
            if (args['overwriteNotes'] === true) update.allowBulkNotes = update.allowBulkSecureNotes = true;
            return update;
          }),
        ),
    },
  });
}

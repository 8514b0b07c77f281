import { create } from '@bufbuild/protobuf';

import type { EditableField } from '#commands/kit/edit-command.ts';
import { timeZoneOptions } from '#commands/kit/time-zones.ts';
import type { Ability } from '#commands/model/ability.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { p } from '#commands/model/params.ts';
import { durationInit, enumName, toSeconds } from '#commands/model/wire.ts';
import { blockedWithout } from '#commands/run/availability.ts';
import { printDuration } from '#commands/text/duration.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { DurationSchema } from '#proto/gen/hiber/base_pb.ts';
import {
  UpdateDevice_UpdatePeripherals_ReplaceSchema,
  UpdateDevice_UpdatePeripheralsSchema,
  type UpdateDevice,
} from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { Value_Numeric_RateSchema } from '#proto/gen/hiber/value_pb.ts';

import type { Device } from './item.ts';
import { checkLifecycle, LIFECYCLES, lifecycleText } from './lifecycle.ts';
import { peripheralsOf, peripheralsText, type Peripherals } from './peripherals.ts';

export interface DeviceField extends EditableField<Device> {
  /**
   * An ability that the field requires in addition to editing devices. If it is missing, only this field is disabled.
   */
  readonly requires?: Ability;
  /**
   * Writes the value into the contract's update. An empty or zero value clears the field (contract: Update semantics).
   */
  write(update: UpdateDevice, value: ArgValue): void;
}

const asText = (value: ArgValue): string => value as string;

export const deviceFields = {
  name: {
    param: p.text({ clears: true, maxLength: MAX_LENGTH.deviceName }),
    current: ({ modem }) => modem.name,
    // Contract: Device.name.
    whenCleared: ({ modem }) => modem.number,
    write: (update, value) => (update.name = asText(value)),
  },
  lifecycle: {
    param: p.choice(LIFECYCLES, { label: lifecycleText, check: checkLifecycle }),
    current: ({ modem }) => enumName(Modem_Lifecycle, modem.lifecycle),
    write: (update, value) => (update.lifecycle = Modem_Lifecycle[asText(value) as keyof typeof Modem_Lifecycle]),
  },
  notes: {
    param: p.text({ multiline: true, clears: true, maxLength: MAX_LENGTH.notes }),
    current: ({ modem }) => modem.notes,
    write: (update, value) => (update.notes = asText(value)),
  },
  secureNotes: {
    param: p.secret({ clears: true, maxLength: MAX_LENGTH.notes, blockedReason: blockedWithout('SECURE_NOTES') }),
    requires: 'SECURE_NOTES',
    secret: true,
    current: ({ modem }) => modem.secureNotes,
    write: (update, value) => (update.secureNotes = asText(value)),
  },
  peripherals: {
    param: p.pairs(),
    current: peripheralsOf,
    text: (value) => peripheralsText(value as Peripherals),
    write: (update, value) => {
      const replacePeripherals = { ...(value as Peripherals) };
      const replacement = create(UpdateDevice_UpdatePeripherals_ReplaceSchema, { replacePeripherals });
      update.peripherals = create(UpdateDevice_UpdatePeripheralsSchema, {
        replace: { case: 'fullReplace', value: replacement },
      });
    },
  },
  timeZone: {
    param: p.text({
      ...timeZoneOptions,
      blockedReason: blockedWithout('DEVICE_TIMEZONE'),
    }),
    requires: 'DEVICE_TIMEZONE',
    current: ({ modem }) => modem.timeZone,
    write: (update, value) => (update.timeZone = asText(value)),
  },
  expectedRate: {
    param: p.number({ integer: true, min: 0, max: 86_400, blockedReason: blockedWithout('DEVICE_SLA') }),
    requires: 'DEVICE_SLA',
    current: ({ modem }) => modem.expectedTransmissionRate?.value ?? 0,
    write: (update, value) =>
      (update.expectedTransmissionRate = create(Value_Numeric_RateSchema, { value: value as number })),
  },
  interval: {
    param: p.duration({ min: 0, max: 31 * 86_400, blockedReason: blockedWithout('TRANSMISSION_INTERVAL') }),
    requires: 'TRANSMISSION_INTERVAL',
    current: ({ modem }) => toSeconds(modem.transmissionInterval) ?? 0,
    text: (value) => (value === 0 ? undefined : printDuration(value as number)),
    write: (update, value) => (update.transmissionInterval = create(DurationSchema, durationInit(value as number))),
  },
} as const satisfies Readonly<Record<string, DeviceField>>;

export type DeviceFieldName = keyof typeof deviceFields;

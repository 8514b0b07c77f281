import { create } from '@bufbuild/protobuf';

import {
  UpdateDevice_UpdatePeripherals_ReplaceSchema,
  UpdateDevice_UpdatePeripheralsSchema,
  type UpdateDevice,
} from '#proto/gen/hiber/device_pb.ts';
import { DurationSchema } from '#proto/gen/hiber/base_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { Value_Numeric_RateSchema } from '#proto/gen/hiber/value_pb.ts';
import type { Ability } from '#commands/model/ability.ts';
import { lacksForField } from '#commands/run/availability.ts';
import type { Context } from '#commands/model/context.ts';
import { printDuration } from '#commands/text/duration.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { durationInit, enumName, secondsOf } from '#commands/model/wire.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import type { Device } from './item.ts';
import { checkLifecycle, LIFECYCLES, lifecycleText } from './lifecycle.ts';
import { peripheralsOf, peripheralsText, type Peripherals } from './peripherals.ts';

export interface DeviceField extends EditableField<Device> {
  /** A permission beyond editing devices, without which only this field is disabled. */
  readonly requires?: Ability;
  /** Puts the value into the contract's update; an empty or zero value clears there (contract: Update semantics). */
  write(update: UpdateDevice, value: ArgValue): void;
}

/** Disables a field for who lacks the ability, and says which permission to ask for. */
function unless(ability: Ability) {
  return ({ actor }: Context): Message | undefined =>
    actor.abilities.has(ability) ? undefined : lacksForField(ability);
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

async function suggestZones(_context: Context, text: string) {
  const wanted = text.toLowerCase().replace(/\s/g, '_');
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => zone.toLowerCase().includes(wanted));
  return zones.slice(0, 50).map((zone) => ({ value: zone, label: zone }));
}

const plain = (value: ArgValue): string => value as string;

export const deviceFields = {
  name: {
    param: p.text({ maxLength: LONGEST.deviceName }),
    now: ({ modem }) => modem.name,
    write: (update, value) => (update.name = plain(value)),
  },
  lifecycle: {
    param: p.choice(LIFECYCLES, { label: lifecycleText, check: checkLifecycle }),
    now: ({ modem }) => enumName(Modem_Lifecycle, modem.lifecycle),
    write: (update, value) => (update.lifecycle = Modem_Lifecycle[plain(value) as keyof typeof Modem_Lifecycle]),
  },
  notes: {
    param: p.text({ multiline: true, clears: true, maxLength: LONGEST.notes }),
    now: ({ modem }) => modem.notes,
    write: (update, value) => (update.notes = plain(value)),
  },
  secureNotes: {
    param: p.secret({ clears: true, maxLength: LONGEST.notes, blocked: unless('SECURE_NOTES') }),
    requires: 'SECURE_NOTES',
    secret: true,
    now: ({ modem }) => modem.secureNotes,
    write: (update, value) => (update.secureNotes = plain(value)),
  },
  peripherals: {
    param: p.pairs(),
    now: peripheralsOf,
    text: (value) => peripheralsText(value as Peripherals),
    write: (update, value) => {
      const replacePeripherals = { ...(value as Peripherals) };
      const full = create(UpdateDevice_UpdatePeripherals_ReplaceSchema, { replacePeripherals });
      update.peripherals = create(UpdateDevice_UpdatePeripheralsSchema, {
        replace: { case: 'fullReplace', value: full },
      });
    },
  },
  timeZone: {
    param: p.text({
      clears: true,
      suggest: suggestZones,
      check: (value) =>
        value === '' || isTimeZone(value) ? undefined : message('device:validation.timeZone', { value }),
      blocked: unless('DEVICE_TIMEZONE'),
    }),
    requires: 'DEVICE_TIMEZONE',
    now: ({ modem }) => modem.timeZone,
    write: (update, value) => (update.timeZone = plain(value)),
  },
  expectedRate: {
    param: p.number({ integer: true, min: 0, max: 86_400, blocked: unless('DEVICE_SLA') }),
    requires: 'DEVICE_SLA',
    now: ({ modem }) => modem.expectedTransmissionRate?.value ?? 0,
    write: (update, value) =>
      (update.expectedTransmissionRate = create(Value_Numeric_RateSchema, { value: value as number })),
  },
  interval: {
    param: p.duration({ min: 0, max: 31 * 86_400, blocked: unless('TRANSMISSION_INTERVAL') }),
    requires: 'TRANSMISSION_INTERVAL',
    now: ({ modem }) => secondsOf(modem.transmissionInterval) ?? 0,
    text: (value) => (value === 0 ? undefined : printDuration(value as number)),
    write: (update, value) => (update.transmissionInterval = create(DurationSchema, durationInit(value as number))),
  },
} as const satisfies Readonly<Record<string, DeviceField>>;

export type DeviceFieldName = keyof typeof deviceFields;

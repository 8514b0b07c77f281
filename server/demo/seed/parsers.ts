/** The demo's parsers: one for each family of payloads (simulator/payload.ts). */
import { Field_Numeric_Format_RoundingMode as RoundingMode } from '#proto/gen/hiber/field_pb.ts';
import { UnitOfMeasurement as Unit } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { parser, parserDevice, parserField } from '#server/db/schema/parser.ts';
import { familyOf, type PayloadFamily, payloadFamilies } from '#server/demo/simulator/payload.ts';

import type { DeviceRow } from './fleet.ts';
import { createRandom } from './random.ts';

type FieldRow = typeof parserField.$inferInsert;
type FieldDeclaration = Omit<FieldRow, 'organization' | 'parser' | 'identifier'>;

interface ParserDeclaration {
  readonly name: string;
  readonly definition: string;
  readonly fields: readonly FieldDeclaration[];
}

/** Wraps the part of a definition that differs between the families. All definitions start and end in the same way. */
const definition = (id: string, title: string, frame: string, body: string, rest: string): string => `meta:
  id: ${id}
  title: ${title}
  endian: be
seq:
  - id: frame
    type: u1
    valid: ${frame}
    doc: The type of the frame.
  - id: battery
    type: u2
    doc: The voltage of the battery in millivolts.
${body}
  - id: sequence
    type: u1
    doc: Counts up with every message.
${rest}
`;

const numericField = (
  field: string,
  displayName: string,
  numericType: NumericType,
  unit: Unit,
  decimals: number,
  priority: number,
): FieldDeclaration => ({
  field,
  displayName,
  type: ValueType.NUMERIC,
  numericType,
  unit,
  format: { decimals, roundingMode: RoundingMode.HALF_UP },
  enumValues: null,
  priority,
  operational: false,
});

const battery: FieldDeclaration = {
  ...numericField('battery', 'Battery', NumericType.VOLTAGE, Unit.VOLTAGE_MILLIVOLT, 0, 0),
  operational: true,
};
const celsius = Unit.TEMPERATURE_DEGREES_CELSIUS;

const state = (value: string, displayName: string, description: string, color: string, priority: number) => ({
  value,
  displayName,
  description,
  color,
  priority,
});

const declarations: Readonly<Record<PayloadFamily, ParserDeclaration>> = {
  pressure: {
    name: 'Pressure transducer',
    definition: definition(
      'pressure_transducer',
      'Nordlys pressure transducer',
      '0x10',
      `  - id: raw_pressure
    type: s4
    doc: The pressure in hundredths of a bar.
  - id: raw_temperature
    type: s2
    doc: The temperature of the transducer in hundredths of a degree Celsius.`,
      `instances:
  pressure:
    value: raw_pressure / 100.0
  temperature:
    value: raw_temperature / 100.0`,
    ),
    fields: [
      numericField('pressure', 'Pressure', NumericType.PRESSURE, Unit.PRESSURE_BAR, 2, 20),
      numericField('temperature', 'Temperature', NumericType.TEMPERATURE, celsius, 1, 10),
      battery,
    ],
  },
  temperature: {
    name: 'Thermocouple',
    definition: definition(
      'thermocouple',
      'Sensara thermocouple',
      '0x11',
      `  - id: raw_temperature
    type: s4
    doc: The temperature in hundredths of a degree Celsius.`,
      `instances:
  temperature:
    value: raw_temperature / 100.0`,
    ),
    fields: [numericField('temperature', 'Temperature', NumericType.TEMPERATURE, celsius, 1, 10), battery],
  },
  level: {
    name: 'Level and position',
    definition: definition(
      'level_position',
      'Sensara level probe and Petrotrace position sensor',
      '0x13',
      `  - id: raw_level
    type: s4
    doc: The level or the opening in hundredths of a percent.`,
      `instances:
  level:
    value: raw_level / 100.0`,
    ),
    fields: [numericField('level', 'Level', NumericType.PERCENTAGE, Unit.PERCENT, 1, 10), battery],
  },
  valve: {
    name: 'Valve actuator',
    definition: definition(
      'valve_actuator',
      'Petrotrace valve actuator',
      '0x15',
      `  - id: raw_line_pressure
    type: s4
    doc: The pressure of the line in hundredths of a bar.
  - id: state
    type: u1
    enum: valve_state`,
      `instances:
  line_pressure:
    value: raw_line_pressure / 100.0
enums:
  valve_state:
    0: closed
    1: opening
    2: open
    3: closing`,
    ),
    fields: [
      {
        field: 'state',
        displayName: 'Valve',
        type: ValueType.ENUM,
        numericType: null,
        unit: null,
        format: null,
        enumValues: [
          state('open', 'Open', 'The line is open.', '#2e9e5b', 40),
          state('opening', 'Opening', 'The actuator is moving.', '#d9a21b', 30),
          state('closing', 'Closing', 'The actuator is moving.', '#d9a21b', 20),
          state('closed', 'Closed', 'The line is shut.', '#d64545', 10),
        ],
        priority: 20,
        operational: false,
      },
      numericField('line_pressure', 'Line pressure', NumericType.PRESSURE, Unit.PRESSURE_BAR, 1, 10),
      battery,
    ],
  },
};

/** The error that every parser gives for a broken payload (BROKEN_BYTES). A test compares it with theirs. */
export const BROKEN_ERROR = { error: 'Field battery at byte 1: 2 bytes needed, 1 left.', offset: 1 } as const;

export interface SeededParsers {
  readonly parsers: readonly (typeof parser.$inferInsert)[];
  readonly fields: readonly FieldRow[];
  readonly byFamily: Readonly<Record<PayloadFamily, typeof parser.$inferInsert>>;
}

/** The parsers belong to one organization, and its sub-organizations use them. */
export function seedParsers(organization: string, now: Date): SeededParsers {
  const random = createRandom('parsers');
  const identifier = (prefix: string) =>
    `${prefix}-${Array.from({ length: 20 }, () => random.integer(0, 15).toString(16)).join('')}`;
  const rows = payloadFamilies.map((family) => {
    const { name, definition: source } = declarations[family];
    const row = {
      organization,
      identifier: identifier('parser'),
      name,
      definition: source,
      metadataFields: {},
      availableToAll: true,
      createdAt: now,
    };
    return [family, row] as const;
  });
  const fields = rows.flatMap(([family, row]) =>
    declarations[family].fields.map((field) => ({
      organization,
      parser: row.identifier,
      identifier: identifier('field'),
      ...field,
    })),
  );
  return {
    parsers: rows.map(([, row]) => row),
    fields,
    byFamily: Object.fromEntries(rows) as SeededParsers['byFamily'],
  };
}

/** Assigns each device its family's parser, from the time it was installed. */
export function assignParsers(
  { byFamily }: SeededParsers,
  devices: readonly DeviceRow[],
): (typeof parserDevice.$inferInsert)[] {
  return devices.flatMap(({ organization, number, metadata, createdAt }) => {
    const family = familyOf(metadata['profile']);
    if (family === undefined) return [];
    const { identifier, organization: owner } = byFamily[family];
    return [{ organization, number, parser: identifier, owner, since: createdAt ?? new Date(0) }];
  });
}

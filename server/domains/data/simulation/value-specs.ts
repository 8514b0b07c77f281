import { unitOf } from '#commands/units/table.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { Update_Request, ValueSimulation_ValueRotation } from '#proto/gen/hiber/value_simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import { type FieldRow, numericTypeName } from '#server/domains/data/parser/model/fields.ts';
import { type ListedParser, requireUsable } from '#server/domains/data/parser/model/find.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { hasUnit } from '#server/wire/numeric.ts';
import { shorten } from '#server/wire/text.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

import { readInterval, requireRotation } from './limits.ts';
import { readRandomArea, readRotation, type SimulatedLocations } from './locations.ts';
import type { valueSimulation } from './schema.ts';
import { sealRotation } from './sealed-rotation.ts';

const DEFAULT_INTERVAL_SECONDS = 3600;

/** The maximum length of a simulated text or enum value. */
const MAX_TEXT_LENGTH = 200;

/** The simulation of a field, for any device. */
export interface Spec extends Pick<typeof valueSimulation.$inferInsert, 'type' | 'numericType' | 'unit' | 'rotation'> {
  readonly sealed: boolean;
  readonly field: string;
  readonly fieldIdentifier: string;
  readonly parser: string;
  readonly owner: string;
  readonly intervalSeconds: number;
  readonly nextRun: Date;
}

export async function readSpecs(app: App, organization: string, request: Update_Request, now: Date): Promise<Spec[]> {
  if (request.parserIdentifier === '') throw invalidArgument('Specify the parser whose fields are simulated.');
  const parser = await requireUsable(app.db.orm, organization, request.parserIdentifier);
  const specs = request.values.map((rotation, index) => {
    const field = findField(parser, rotation, `values[${index}]`);
    const interval = readDuration(rotation.simulationInterval, `values[${index}].simulation_interval`);
    const values = readValueRotation(field, rotation);
    return {
      ...values,
      rotation: field.encrypted ? sealRotation(app.secrets, values.rotation) : values.rotation,
      sealed: field.encrypted,
      field: field.field,
      fieldIdentifier: field.identifier,
      parser: parser.row.identifier,
      owner: parser.row.organization,
      intervalSeconds: readInterval(interval, `values[${index}].simulation_interval`) ?? DEFAULT_INTERVAL_SECONDS,
      nextRun: readTimestamp(rotation.nextSimulationRunAfter, now, `values[${index}].next_simulation_run_after`) ?? now,
    };
  });
  const duplicate = specs.find(({ field }, index) => specs.findIndex((spec) => spec.field === field) < index);
  if (duplicate !== undefined) throw invalidArgument(`The field ${shorten(duplicate.field)} is listed twice.`);
  return specs;
}

function findField(
  { row, fields }: ListedParser,
  { fieldSelection }: ValueSimulation_ValueRotation,
  subject: string,
): FieldRow {
  const name = (fieldSelection.value ?? '').trim();
  if (name === '') throw invalidArgument(`${subject} needs the path or the identifier of a field.`);
  const field = fields.find((candidate) =>
    fieldSelection.case === 'fieldIdentifier' ? candidate.identifier === name : candidate.field === name,
  );
  if (field === undefined) throw notFound(`The parser "${row.name}" has no field ${shorten(name)}.`);
  return field;
}

function readValueRotation(
  { field, type }: FieldRow,
  { value: rotation }: ValueSimulation_ValueRotation,
): Pick<Spec, 'type' | 'numericType' | 'unit' | 'rotation'> {
  const path = shorten(field);
  if (rotation.case === undefined) throw invalidArgument(`The field ${path} needs values to simulate.`);
  const expectedCase = type === ValueType.NUMERIC ? 'numeric' : type === ValueType.ENUM ? 'enum' : 'text';
  if (rotation.case !== expectedCase) {
    throw invalidArgument(`The field ${path} is ${expectedCase}, so it can't have ${rotation.case} values.`);
  }
  const { values } = rotation.value;
  if (values.length === 0) throw invalidArgument(`The field ${path} needs values to simulate.`);
  requireRotation(values, `The values of ${path}`);
  if (rotation.case === 'numeric') {
    requireUnit(path, rotation.value);
    const { type: numericType, unit } = rotation.value;
    return { type, numericType, unit, rotation: rotation.value.values };
  }
  const tooLong = rotation.value.values.find((text) => text.length > MAX_TEXT_LENGTH);
  if (tooLong !== undefined) {
    throw invalidArgument(
      `A value of ${path} can have at most ${MAX_TEXT_LENGTH} characters; one has ${tooLong.length}.`,
    );
  }
  return { type, numericType: null, unit: null, rotation: rotation.value.values };
}

/** The type and the unit are required, and must match (contract: ValueSimulationService). */
function requireUnit(path: string, { type, unit }: { type: NumericType; unit: UnitOfMeasurement }): void {
  if (type === NumericType.TYPE_UNKNOWN) throw invalidArgument(`The values of ${path} need a type.`);
  if (unit === UnitOfMeasurement.UNIT_UNKNOWN) throw invalidArgument(`The values of ${path} need a unit.`);
  if (!hasUnit(type, unit)) {
    throw invalidArgument(
      `The values of ${path} have the type ${numericTypeName(type)}, but the unit ${unitOf(unit)?.symbol ?? 'OTHER'}.`,
    );
  }
}

export type LocationSpec = SimulatedLocations & { readonly intervalSeconds: number; readonly nextRun: Date };

/** Locations in an area have no interval of their own, so they follow the most frequent field. */
export function readLocations(
  { location }: Update_Request,
  specs: readonly Spec[],
  now: Date,
): LocationSpec | undefined {
  if (location.case === undefined) return undefined;
  if (location.case === 'randomLocationInArea') {
    const intervalSeconds = Math.min(...specs.map((spec) => spec.intervalSeconds), DEFAULT_INTERVAL_SECONDS);
    return { ...readRandomArea(location.value), intervalSeconds, nextRun: now };
  }
  const { locations, simulationInterval, nextSimulationRunAfter } = location.value;
  const field = 'replace_location_rotation';
  const interval = readDuration(simulationInterval, `${field}.simulation_interval`);
  return {
    ...readRotation(locations),
    intervalSeconds: readInterval(interval, `${field}.simulation_interval`) ?? DEFAULT_INTERVAL_SECONDS,
    nextRun: readTimestamp(nextSimulationRunAfter, now, `${field}.next_simulation_run_after`) ?? now,
  };
}

import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Field_Numeric_Format_RoundingMode as Rounding } from '#proto/gen/hiber/field_pb.ts';
import { FieldService, ListFields_Sort as Sort } from '#proto/gen/hiber/field_service_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import {
  Value_Numeric_Pressure_PressureUnit as Pressure,
  Value_Numeric_Temperature_TemperatureUnit as Temperature,
  Value_Numeric_Type as NumericType,
  Value_Type as ValueType,
} from '#proto/gen/hiber/value_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const CHILD = 'northwind-offshore';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const parsers = () => t.as('administrator').client(ModemMessageBodyParserService);
const fields = () => t.as('administrator').client(FieldService);

const bar = { unit: { case: 'pressure' as const, value: Pressure.BAR } };
const pressure = { field: 'pressure', details: { case: 'numeric' as const, value: { unit: bar } } };
const status = {
  field: 'status',
  details: {
    case: 'enum' as const,
    value: {
      values: [
        { value: 'ok', color: 'green' },
        { value: 'bad', priority: 5 },
      ],
    },
  },
};

let count = 0;
const createParser = (dataFields: object[] = []) =>
  parsers().upload({ name: `Parser ${(count += 1)}`, contentKsy: 'seq:\n  - {id: a, type: u1}\n', dataFields });

async function createField(field: object) {
  const { dataFields, identifier } = await createParser([field]);
  const [created] = dataFields;
  if (created === undefined) throw new Error('The field was not created.');
  return { ...created, parser: identifier };
}

describe('new fields', () => {
  test('have their type, unit, and symbol, and default to text', async () => {
    const { identifier } = await createParser();
    const { dataFields } = await fields().add({
      parserIdentifier: identifier,
      fields: [
        { ...pressure, priority: 9 },
        status,
        { field: 'note' },
        { field: 'count', type: ValueType.NUMERIC },
        {
          field: 'zero',
          details: {
            case: 'numeric',
            value: {
              type: NumericType.TEMPERATURE,
              unit: { unit: { case: 'temperature', value: Temperature.KELVIN } },
              format: { round: { case: 'roundToScale', value: 2 }, roundingMode: Rounding.HALF_EVEN },
            },
          },
        },
      ],
    });
    expect(dataFields).toMatchObject([
      {
        field: 'pressure',
        type: ValueType.NUMERIC,
        details: { value: { type: NumericType.PRESSURE, unit: { ...bar, symbol: 'bar' } } },
      },
      { field: 'count', type: ValueType.NUMERIC, details: { value: { type: NumericType.OTHER } } },
      { field: 'note', type: ValueType.TEXT, details: { case: undefined } },
      {
        field: 'status',
        type: ValueType.ENUM,
        details: {
          value: {
            values: [
              { value: 'bad', priority: 5 },
              { value: 'ok', color: 'green' },
            ],
          },
        },
      },
      {
        field: 'zero',
        details: {
          value: { unit: { symbol: 'K' }, format: { round: { value: 2 }, roundingMode: Rounding.HALF_EVEN } },
        },
      },
    ]);
  });

  test.each([
    ['details of another type', { ...pressure, type: ValueType.TEXT }, 'is text, but has numeric details'],
    [
      'a unit of another type',
      { field: 'a', details: { case: 'numeric', value: { type: NumericType.VOLUME, unit: bar } } },
      'has the type VOLUME, but a unit of PRESSURE',
    ],
    [
      'a type without its unit',
      { field: 'a', details: { case: 'numeric', value: { type: NumericType.VOLUME } } },
      'needs a unit for its type VOLUME',
    ],
    [
      'no decimals',
      { field: 'a', details: { case: 'numeric', value: { format: { round: { case: 'roundToScale', value: 0 } } } } },
      'can be rounded to 1 to 15 decimals, not 0',
    ],
    [
      'a value twice',
      { field: 'a', details: { case: 'enum', value: { values: [{ value: 'x' }, { value: 'x' }] } } },
      'lists the value "x" twice',
    ],
    [
      'an empty value',
      { field: 'a', details: { case: 'enum', value: { values: [{ value: ' ' }] } } },
      'A value of a is empty.',
    ],
    ['a long name', { field: 'a', displayName: 'x'.repeat(201) }, 'at most 200 characters'],
    ['a long path', { field: 'a'.repeat(301) }, 'at most 300 characters'],
  ])('are rejected with %s', async (_, field, sentence) => {
    const { identifier } = await createParser();
    await expect(fields().add({ parserIdentifier: identifier, fields: [field] as never })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(sentence),
    });
  });

  test('must be new, and are limited to 200 per parser', async () => {
    const { identifier } = await createParser([pressure]);
    const add = (added: object[]) => fields().add({ parserIdentifier: identifier, fields: added });
    await expect(add([{ field: 'a' }, pressure])).rejects.toMatchObject({ code: Code.AlreadyExists });
    await expect(add([])).rejects.toMatchObject({ code: Code.InvalidArgument });
    const many = Array.from({ length: 200 }, (_, index) => ({ field: `f${index}` }));
    await expect(add(many)).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(add(many.slice(1))).resolves.toMatchObject({ dataFields: { length: 200 } });
  });

  test('replace all others and are deleted by path or name', async () => {
    const { identifier, dataFields } = await createParser([
      pressure,
      { field: 'note', displayName: 'Remark' },
      { field: 'x' },
    ]);
    const replaced = await fields().replaceAll({
      parserIdentifier: identifier,
      replaceWithFields: [{ field: 'note' }, { field: 'y' }],
    });
    const note = dataFields.find(({ field }) => field === 'note');
    expect(replaced.dataFields).toMatchObject([{ field: 'note', identifier: note?.identifier }, { field: 'y' }]);
    await fields().add({ parserIdentifier: identifier, fields: [{ field: 'z', displayName: 'Named' }] });
    const remaining = await fields().delete({ parserIdentifier: identifier, fieldIdentifiers: ['y', 'Named'] });
    expect(remaining.dataFields.map(({ field }) => field)).toEqual(['note']);
    await expect(fields().delete({ parserIdentifier: identifier, fieldIdentifiers: ['nope'] })).rejects.toMatchObject({
      code: Code.NotFound,
    });
  });
});

describe('an update', () => {
  test('changes what it names, clears what is empty, and honors older clients', async () => {
    const { identifier } = await createField({ ...pressure, displayName: 'Pressure', priority: 2, optional: true });
    const update = (change: object) => fields().update({ fieldIdentifier: identifier, ...change });
    expect(await update({ operational: true })).toMatchObject({
      displayName: 'Pressure',
      priority: 2,
      optional: true,
      operational: true,
    });
    expect(await update({ displayName: '', encrypted: true, priority: 0 })).toMatchObject({
      priority: 0,
      encrypted: true,
    });
    expect((await update({})).displayName).toBeUndefined();
    const older = {
      deprecatedDisplayName: { updated: true, value: 'Old' },
      deprecatedOptional: { updated: true, value: false },
      deprecatedPriority: { updated: false, value: 7 },
    };
    expect(await update(older)).toMatchObject({ displayName: 'Old', optional: false, priority: 0 });
    expect(await update({ ...older, displayName: 'New' })).toMatchObject({ displayName: 'New' });
    await expect(update({ priority: 2 ** 32 - 1 })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test('changes type and symbol along with the unit', async () => {
    const { identifier } = await createField(pressure);
    const update = {
      replaceUnit: { unit: { case: 'temperature' as const, value: Temperature.DEGREES_CELSIUS } },
      replaceFormat: { round: { case: 'roundToInteger' as const, value: true } },
    };
    expect(await fields().updateNumericDetails({ fieldIdentifier: identifier, update })).toMatchObject({
      details: {
        value: { type: NumericType.TEMPERATURE, unit: { symbol: '°C' }, format: { round: { case: 'roundToInteger' } } },
      },
    });
    const details = { case: 'numeric' as const, value: { replaceUnit: bar } };
    expect(await fields().update({ fieldIdentifier: identifier, updateDetails: details })).toMatchObject({
      details: { value: { unit: { symbol: 'bar' } } },
    });
    await expect(fields().updateEnumValues({ fieldIdentifier: identifier, update: {} })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
  });

  test('adds, removes, updates, or replaces enum values', async () => {
    const { identifier } = await createField(status);
    const update = async (change: object) => {
      const { details } = await fields().updateEnumValues({ fieldIdentifier: identifier, update: change });
      return details.case === 'enum'
        ? details.value.values.map(({ value, displayName, priority }) => [value, displayName, priority])
        : [];
    };
    expect(await update({ addValues: [{ value: 'new', priority: 9 }], removeValues: ['ok'] })).toEqual([
      ['new', '', 9],
      ['bad', '', 5],
    ]);
    expect(
      await update({
        updateValues: [
          { value: 'bad', displayName: 'Bad', priority: 10 },
          { value: 'new', updatePriority: { updated: true, value: 0 } },
        ],
      }),
    ).toEqual([
      ['bad', 'Bad', 10],
      ['new', '', 0],
    ]);
    expect(await update({ replaceAllValues: [{ value: 'a' }], addValues: [{ value: 'b' }] })).toEqual([
      ['a', '', 0],
      ['b', '', 0],
    ]);
    await expect(update({ addValues: [{ value: 'a' }] })).rejects.toMatchObject({ code: Code.AlreadyExists });
    const repeatedUpdates = ['x', 'y'].map((displayName) => ({ value: 'a', displayName }));
    await expect(update({ updateValues: repeatedUpdates })).rejects.toThrow('lists the value "a" twice');
    await expect(update({ removeValues: ['c'] })).rejects.toMatchObject({ code: Code.NotFound });
    await expect(update({ replaceAllValues: [{ value: 'c' }], updateValues: [{ value: 'c' }] })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });

  test('is recorded as a change of the parser, and only for its owner', async () => {
    const { identifier, parser, parserName } = await createField(pressure);
    await fields().update({ fieldIdentifier: identifier, encrypted: true });
    const { events } = await t
      .as('administrator')
      .client(EventService)
      .history({ selection: { events: { include: [EventType.MESSAGE_BODY_PARSER_UPDATED] } } });
    expect(events[0]?.description).toBe(`Parser "${parserName}" was updated: field pressure.`);
    const asChild = () => fields().update({ organization: CHILD, fieldIdentifier: identifier, encrypted: false });
    await expect(asChild()).rejects.toMatchObject({ code: Code.NotFound });
    await parsers().makeAvailableToChildOrganization({ identifier: parser, availableTo: [CHILD] });
    await expect(asChild()).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(
      fields().add({ organization: CHILD, parserIdentifier: parser, fields: [{ field: 'x' }] }),
    ).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

describe('a list', () => {
  test('is selected, sorted, and paged, with the fields of inherited parsers', async () => {
    const { identifier } = await createParser([
      { ...pressure, displayName: 'Zulu', priority: 1 },
      { ...status, displayName: 'Alpha', priority: 3 },
      {
        field: 'battery',
        displayName: 'Mike',
        operational: true,
        priority: 2,
        details: {
          case: 'numeric',
          value: { type: NumericType.BATTERY_LEVEL, unit: { unit: { case: 'batteryLevel', value: 0 } } },
        },
      },
    ]);
    const names = async (selection: object, sort?: Sort, organization?: string) => {
      const page = await fields().list({ organization, selection: { search: identifier, ...selection }, sort });
      expect(page.pagination?.total).toBe(page.fields.length);
      return page.fields.map(({ displayName }) => displayName);
    };
    expect(await names({})).toEqual(['Alpha', 'Zulu']);
    expect(await names({ includeOperational: true })).toEqual(['Alpha', 'Mike', 'Zulu']);
    expect(await names({ includeOperational: true }, Sort.DISPLAY_NAME_DESC)).toEqual(['Zulu', 'Mike', 'Alpha']);
    expect(await names({ includeOperational: true }, Sort.FIELD_PATH)).toEqual(['Mike', 'Zulu', 'Alpha']);
    expect(await names({ includeOperational: true }, Sort.TYPE)).toEqual(['Alpha', 'Mike', 'Zulu']);
    expect(await names({ includeOperational: true }, Sort.UNIT)).toEqual(['Mike', 'Zulu', 'Alpha']);
    expect(await names({ includeOperational: true }, Sort.UNIT_DESC)).toEqual(['Zulu', 'Mike', 'Alpha']);
    expect(await names({ types: [ValueType.ENUM] })).toEqual(['Alpha']);
    expect(await names({ numericTypes: [NumericType.PRESSURE] })).toEqual(['Zulu']);
    expect(await names({}, undefined, CHILD)).toEqual([]);
    await parsers().makeAvailableToChildOrganization({ identifier, availableTo: [CHILD] });
    expect(await names({}, undefined, CHILD)).toEqual(['Alpha', 'Zulu']);
    expect(await names({ onlyOwned: true }, undefined, CHILD)).toEqual([]);
    expect(await names({ onlyOwned: true })).toEqual(['Alpha', 'Zulu']);
    const page = await fields().list({ selection: { search: identifier }, pagination: { size: 1, page: 1 } });
    expect(page).toMatchObject({
      fields: [{ displayName: 'Zulu' }],
      pagination: { total: 2 },
      request: { organization: 'northwind' },
    });
  });

  test("uses the caller's preferred units on request", async () => {
    const { identifier } = await createField(pressure);
    const preferences = t.as('administrator').client(UnitPreferencesService);
    await preferences.unitPreferences({
      pressure: { case: 'updatePressurePreference', value: { preference: Pressure.PSI } },
    });
    const listFields = async (applyUnitPreferences: boolean) => {
      const { fields: remainingFields } = await fields().list({
        selection: { fieldIdentifiers: [identifier] },
        applyUnitPreferences,
      });
      return remainingFields[0]?.details.value;
    };
    expect(await listFields(false)).toMatchObject({ unit: { symbol: 'bar' } });
    expect(await listFields(true)).toMatchObject({ unit: { symbol: 'psi' }, convertedFrom: { symbol: 'bar' } });
  });
});

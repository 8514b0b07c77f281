import { setTimeout } from 'node:timers/promises';

import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { SimulationService } from '#proto/gen/hiber/simulation_pb.ts';
import { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import {
  Value_Numeric_Pressure_PressureUnit as Pressure,
  Value_Numeric_Type as NumericType,
} from '#proto/gen/hiber/value_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { ValueSimulationService } from '#proto/gen/hiber/value_simulation_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { runSimulations } from './run.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let t: TestServer;
let numbers: [string, string, ...string[]];
beforeAll(async () => {
  t = await startTestServer();
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 10 } });
  numbers = devices.map(({ number }) => number).toSorted() as typeof numbers;
});
afterAll(() => t.close());

beforeEach(async () => {
  for (const table of ['message_simulation', 'value_simulation', 'location_simulation', 'simulation']) {
    await t.app.db.orm.execute(sql`delete from ${sql.identifier(table)}`);
  }
});

const simulations = () => t.as('administrator').client(SimulationService);
const valueSimulations = () => t.as('administrator').client(ValueSimulationService);
const of = (...include: string[]) => ({ modems: { include } });
const hours = (count: number) => ({ duration: { seconds: BigInt(count * 3600) } });
const bytes = (hex: string) => ({ hex });
const sorted = (texts: readonly (string | undefined)[]) => texts.map(String).toSorted();
const invalid = (sentence: string) => ({ code: Code.InvalidArgument, rawMessage: expect.stringContaining(sentence) });

/** Returns the messages of the last round. */
async function simulatedMessages(number: string) {
  const { messages } = await t
    .as('administrator')
    .client(MessageService)
    .list({ selection: { modemSelection: of(number) }, pagination: { size: 30 } });
  return messages.filter(({ messageId }) => messageId > lastId);
}

const addDevices = (count: number) =>
  t.app.db.orm.execute(sql`
    insert into device (organization, number, name, type, lifecycle, health_level)
    select 'northwind', to_char(n, 'FM0000') || ' FFFF', '', 3, 1, health_level
      from (select health_level from device where number = ${numbers[0]}) as known
      cross join generate_series(1, ${count}::int) as n`);

const removeAddedDevices = () =>
  t.app.db.orm.execute(sql`delete from device where number like '____ FFFF' and name = ''`);

let lastId = 0n;
async function round(milliseconds = 0, run = () => runSimulations(t.app)): Promise<void> {
  t.advance(milliseconds);
  const { rows } = await t.app.db.orm.execute<{ id: string }>(sql`select max(id)::text as id from message`);
  lastId = BigInt(rows[0]?.id ?? 0);
  await run();
}

describe('the settings of simulated messages', () => {
  test('are off by default, and change what a request names', async () => {
    expect(await simulations().get({})).toMatchObject({
      organization: 'northwind',
      enabled: false,
      modemInactivity: { percentageOfSimulatingModems: 0, periodMin: { textual: '0s' } },
      delayedMessages: { percentageOfSimulatedMessages: 0 },
      modemMessageSimulationDefaults: { messagesPerInterval: 1, simulationInterval: { textual: '1h' } },
      modemMessageSimulation: { enabledModems: 0, totalMessagesPerDay: 0 },
    });
    await simulations().update({
      simulateModemInactivity: { percentageOfSimulatingModems: 10, periodMin: hours(1), periodMax: hours(2) },
      modemMessageSimulationDefaults: { messagesPerInterval: 2, simulationInterval: { textual: '30m' } },
    });
    const changed = await simulations().update({
      enabled: true,
      simulateDelayedMessages: { percentageOfSimulatedMessages: 5, maximumMessageDelay: hours(3) },
    });
    expect(changed).toMatchObject({
      enabled: true,
      modemInactivity: { percentageOfSimulatingModems: 10, periodMax: { textual: '2h' } },
      delayedMessages: { percentageOfSimulatedMessages: 5, maximumMessageDelay: { textual: '3h' } },
      modemMessageSimulationDefaults: { messagesPerInterval: 2, simulationInterval: { textual: '30m' } },
    });
    expect(await simulations().update({ deprecatedEnabled: { updated: true, value: false } })).toMatchObject({
      enabled: false,
    });
    expect(await simulations().get({})).toMatchObject({ modemInactivity: { percentageOfSimulatingModems: 10 } });
  });

  test.each([
    ['a percentage above 100', { simulateModemInactivity: { percentageOfSimulatingModems: 101 } }, 'from 0 to 100'],
    [
      'bounds in the wrong order',
      { simulateDelayedMessages: { minimumMessageDelay: hours(2), maximumMessageDelay: hours(1) } },
      'minimum_message_delay is longer than maximum_message_delay',
    ],
    ['no bounds', { simulateModemInactivity: { percentageOfSimulatingModems: 1 } }, 'Specify period_max'],
    ['a negative bound', { simulateModemInactivity: { periodMin: hours(-1) } }, 'period_min must be from 0s to 30d'],
    ['too many messages', { modemMessageSimulationDefaults: { messagesPerInterval: 25 } }, 'from 1 to 24, not 25'],
    [
      'a short interval',
      { modemMessageSimulationDefaults: { simulationInterval: { textual: '59s' } } },
      'from 1m to 30d, not 59s',
    ],
  ])('with %s are refused', async (_, change, sentence) => {
    await expect(simulations().update(change)).rejects.toMatchObject(invalid(sentence));
  });
});

describe('the simulation of messages', () => {
  test('is created, changed, disabled, and listed', async () => {
    const created = await simulations().updateModemMessageSimulations({
      modems: of(...numbers.slice(0, 3)),
      messageBody: { case: 'replaceMessageBodyRotation', value: { messageBodies: [bytes('01'), bytes('02ff')] } },
      messageBodyAddVariableByteIndices: [1, 0, 1],
      location: { case: 'replaceLocationRotation', value: { locations: [{ textual: '[1,2]' }] } },
      metadata: { fPort: 2 },
      pagination: { size: 2 },
    });
    expect(created).toMatchObject({
      modems: [{ modemNumber: numbers[0] }, { modemNumber: numbers[1] }],
      pagination: { total: 3 },
      request: { organization: 'northwind' },
    });
    expect(created.modems[0]).toMatchObject({
      messagesPerInterval: 1,
      simulationInterval: { textual: '1h' },
      messageBodies: { case: 'messageBodyRotation', value: { messageBodies: [{ hex: '01' }, { hex: '02FF' }] } },
      messageBodyVariableByteIndices: [0, 1],
      location: { case: 'locationRotation', value: { locations: [{ textual: '[1,2]' }] } },
      metadata: { fPort: 2 },
    });
    const area = { bottomLeft: { latitude: 5, longitude: 6 }, topRight: { latitude: 1, longitude: 2 } };
    const { modems } = await simulations().updateModemMessageSimulations({
      modems: of(numbers[0]),
      messagesPerInterval: 3,
      simulationInterval: hours(2),
      messageBody: { case: 'updateMessageBody', value: { updated: true, value: bytes('03') } },
      messageBodyRemoveVariableByteIndices: [1],
      location: { case: 'randomLocationInArea', value: area },
    });
    expect(modems).toMatchObject([
      {
        messagesPerInterval: 3,
        simulationInterval: { textual: '2h' },
        messageBodies: { case: 'messageBody', value: { hex: '03' } },
        messageBodyVariableByteIndices: [0],
        location: { case: 'randomLocationInArea', value: { textual: '[[1,2],[5,6]]' } },
        metadata: { fPort: 2 },
      },
    ]);
    expect(await simulations().get({})).toMatchObject({
      modemMessageSimulation: {
        enabledModems: 3,
        activeModems: 3,
        totalMessagesPerDay: 24 + 24 + 36,
        totalSimulationsPerDay: 24 + 24 + 12,
      },
    });
    expect(await simulations().disableModemMessageSimulations({ modems: of(numbers[0], numbers[5]!) })).toMatchObject({
      deleted: 1,
      request: { organization: 'northwind' },
    });
    const listed = async (request: object) => {
      const { modems: found } = await simulations().listModemMessageSimulations(request);
      return found.map(({ modemNumber }) => modemNumber);
    };
    expect(await listed({})).toEqual([numbers[1], numbers[2]]);
    expect(await listed({ includeDisabled: true })).toEqual(numbers.slice(0, 3));
    expect(await listed({ modems: of(numbers[1]) })).toEqual([numbers[1]]);
  });

  test('sends its messages when they are due, in rotation', async () => {
    await simulations().update({ enabled: true });
    await simulations().updateModemMessageSimulations({
      modems: of(numbers[0]),
      messagesPerInterval: 3,
      messageBody: { case: 'replaceMessageBodyRotation', value: { messageBodies: [bytes('01aa'), bytes('02bb')] } },
      messageBodyAddVariableByteIndices: [1, 9],
      location: { case: 'replaceLocationRotation', value: { locations: [{ textual: '[1,2]' }, { textual: '[3,4]' }] } },
      metadata: { fPort: 7 },
    });
    await round();
    const first = await simulatedMessages(numbers[0]);
    expect(sorted(first.map(({ bodyBytes }) => bodyBytes?.hex?.slice(0, 2)))).toEqual(['01', '01', '02']);
    expect(sorted(first.map(({ location }) => location?.textual))).toEqual(['[1,2]', '[1,2]', '[3,4]']);
    expect(first[0]).toMatchObject({ isTest: false, metadata: { fPort: 7 } });
    await round(59 * MINUTE);
    expect(await simulatedMessages(numbers[0])).toEqual([]);
    await round(2 * MINUTE);
    const second = await simulatedMessages(numbers[0]);
    expect(sorted(second.map(({ location }) => location?.textual))).toEqual(['[1,2]', '[3,4]', '[3,4]']);
    // Runs that were missed are skipped.
    await round(50 * HOUR);
    expect(await simulatedMessages(numbers[0])).toHaveLength(3);
  });

  test('stops while the organization, the device, or a pause disables it', async () => {
    await simulations().updateModemMessageSimulations({ modems: of(numbers[0], numbers[1]) });
    await round();
    expect(await simulatedMessages(numbers[0])).toEqual([]);
    await simulations().update({ enabled: true });
    await simulations().disableModemMessageSimulations({ modems: of(numbers[0]) });
    await simulations().updateModemMessageSimulations({
      modems: of(numbers[1]),
      setInactiveUntil: { textual: new Date(t.app.now().getTime() + 5 * HOUR).toISOString() },
    });
    expect(await simulations().get({})).toMatchObject({
      modemMessageSimulation: { enabledModems: 1, activeModems: 0, inactiveModems: 1, totalMessagesPerDay: 0 },
    });
    await round(2 * HOUR);
    expect([...(await simulatedMessages(numbers[0])), ...(await simulatedMessages(numbers[1]))]).toEqual([]);
    // Another change does not end the pause.
    await simulations().updateModemMessageSimulations({ modems: of(numbers[1]), messagesPerInterval: 2 });
    await round();
    expect(await simulatedMessages(numbers[1])).toEqual([]);
    await round(4 * HOUR);
    expect(await simulatedMessages(numbers[1])).toHaveLength(2);
  });

  test('lets devices fall silent and return, up to the percentage', async () => {
    await simulations().update({
      enabled: true,
      simulateModemInactivity: { percentageOfSimulatingModems: 50, periodMin: hours(10), periodMax: hours(10) },
    });
    await simulations().updateModemMessageSimulations({ modems: of(...numbers.slice(0, 4)) });
    const silent = async () => (await simulations().get({})).modemMessageSimulation?.inactiveModems ?? 0;
    for (let index = 0; index < 9; index += 1) {
      await round(61 * MINUTE);
      expect(await silent()).toBeLessThanOrEqual(2);
    }
    // Two of four slots are taken in each of 9 hours with a probability of a half, which fails once in 10,000,000 runs.
    expect(await silent()).toBeGreaterThan(0);
    await simulations().update({ simulateModemInactivity: {} });
    await round(20 * HOUR);
    expect(await silent()).toBe(0);
  });

  test('moves the sent time of delayed messages into the past', async () => {
    await simulations().update({
      enabled: true,
      simulateDelayedMessages: {
        percentageOfSimulatedMessages: 100,
        minimumMessageDelay: hours(2),
        maximumMessageDelay: hours(3),
      },
    });
    await simulations().updateModemMessageSimulations({ modems: of(numbers[2]!) });
    await round();
    const [message] = await simulatedMessages(numbers[2]!);
    const delay = Number(message?.receivedAt?.timestamp?.seconds) - Number(message?.sentAt?.timestamp?.seconds);
    expect(delay).toBeGreaterThanOrEqual(2 * 3600);
    expect(delay).toBeLessThanOrEqual(3 * 3600 + 1);
  });

  test('runs once, even if several processes try', async () => {
    await simulations().update({ enabled: true });
    await simulations().updateModemMessageSimulations({ modems: of(...numbers.slice(0, 5)) });
    await round(0, async () => {
      await Promise.all([runSimulations(t.app), runSimulations(t.app), runSimulations(t.app)]);
    });
    for (const number of numbers.slice(0, 5)) expect(await simulatedMessages(number)).toHaveLength(1);
  });

  test.each([
    ['a hidden or unknown device', { modems: of('FFFF FFFF') }, 'has no device', Code.NotFound],
    ['too many messages', { messagesPerInterval: 25 }, 'from 1 to 24, not 25'],
    ['a long interval', { simulationInterval: hours(721) }, 'from 1m to 30d'],
    [
      'large bodies',
      {
        messageBody: {
          case: 'replaceMessageBodyRotation',
          value: { messageBodies: [bytes('00'.repeat(16_384)), bytes('00')] },
        },
      },
      'at most 16384 bytes; these have 16385',
    ],
    [
      'a body that is not hex',
      { messageBody: { case: 'replaceMessageBodyRotation', value: { messageBodies: [bytes('xy')] } } },
      'message_bodies[0].hex is not hexadecimal',
    ],
    ['an index beyond any body', { messageBodyAddVariableByteIndices: [20_000] }, 'No body has a byte 20000'],
    [
      'the removal of such an index',
      { messageBodyRemoveVariableByteIndices: [4_294_967_295] },
      'No body has a byte 4294967295',
    ],
    ['large metadata', { metadata: { text: 'x'.repeat(4000) } }, 'at most 4000 characters'],
    [
      'a long rotation',
      {
        location: {
          case: 'replaceLocationRotation',
          value: { locations: Array.from({ length: 101 }, () => ({ textual: '[1,2]' })) },
        },
      },
      'at most 100 items; there are 101',
    ],
  ])('with %s is refused', async (_, change, sentence, code = Code.InvalidArgument) => {
    await expect(
      simulations().updateModemMessageSimulations({ modems: of(numbers[0]), ...(change as object) }),
    ).rejects.toMatchObject({ ...invalid(sentence), code });
  });

  test('runs once per interval, even if it is updated again and again', async () => {
    const number = numbers[6]!;
    await simulations().update({ enabled: true });
    const update = (change: object) =>
      simulations().updateModemMessageSimulations({ modems: of(number), simulationInterval: hours(1), ...change });
    let sent = 0;
    for (let minute = 0; minute < 120; minute += 20) {
      await update({ setInactiveUntil: { textual: 'now' }, messageBody: { case: undefined } });
      await update({ location: { case: 'replaceLocationRotation', value: { locations: [{ textual: '[1,2]' }] } } });
      await simulations().disableModemMessageSimulations({ modems: of(number) });
      await update({});
      await round(minute === 0 ? 0 : 20 * MINUTE);
      sent += (await simulatedMessages(number)).length;
    }
    expect(sent).toBe(2);
  });

  test('takes at most two seconds of a round per organization', async () => {
    await addDevices(60);
    try {
      await simulations().update({ enabled: true });
      await simulations().updateModemMessageSimulations({ simulationInterval: hours(1) });
      const { transaction } = t.app.db;
      let batches = 0;
      vi.spyOn(t.app.db, 'transaction').mockImplementation(async (...args) => {
        batches += 1;
        await setTimeout(2000);
        return transaction(...args);
      });
      await round();
      expect(batches).toBe(1);
      vi.restoreAllMocks();
      await round();
      const { modems } = await simulations().listModemMessageSimulations({ pagination: { size: 1000 } });
      const due = modems.filter(
        ({ nextSimulationRunAfter: next }) => Date.parse(next?.textual ?? '') < t.app.now().getTime(),
      );
      expect(due).toEqual([]);
    } finally {
      await removeAddedDevices();
    }
  });

  test('is limited for each organization', async () => {
    await addDevices(700);
    try {
      await expect(
        simulations().updateModemMessageSimulations({
          messagesPerInterval: 24,
          simulationInterval: { textual: '1m' },
        }),
      ).rejects.toMatchObject({
        code: Code.FailedPrecondition,
        rawMessage: expect.stringContaining('at most 1,000,000 simulated messages a day'),
      });
      expect((await simulations().listModemMessageSimulations({})).modems).toEqual([]);
    } finally {
      await removeAddedDevices();
    }
  });
});

describe('the simulation of values', () => {
  const bar = { unit: { case: 'pressure' as const, value: Pressure.BAR } };
  let parser = '';
  beforeAll(async () => {
    const created = await t
      .as('administrator')
      .client(ModemMessageBodyParserService)
      .upload({
        name: 'Simulated',
        contentKsy: 'seq:\n  - {id: a, type: u1}\n',
        dataFields: [
          { field: 'pressure', details: { case: 'numeric', value: { unit: bar } } },
          { field: 'status', details: { case: 'enum', value: { values: [{ value: 'ok' }] } } },
          { field: 'note' },
        ],
      });
    parser = created.identifier;
  });

  const path = (value: string) => ({ fieldSelection: { case: 'fieldPath' as const, value } });
  const pressures = (...values: number[]) => ({
    ...path('pressure'),
    value: {
      case: 'numeric' as const,
      value: { values, type: NumericType.PRESSURE, unit: UnitOfMeasurement.PRESSURE_BAR },
    },
  });
  const texts = (field: string, kind: 'text' | 'enum', ...values: string[]) => ({
    ...path(field),
    value: { case: kind, value: { values } } as never,
  });
  const valuesOf = async (number: string) => {
    const { values } = await t
      .as('administrator')
      .client(ValueService)
      .list({ selection: { ownerSelection: { case: 'devices', value: of(number) } } });
    return values;
  };

  test('is created, listed, and disabled', async () => {
    await valueSimulations().updateValueSimulations({
      modems: of(numbers[0], numbers[1]),
      parserIdentifier: parser,
      values: [
        { ...pressures(1, 2.5), simulationInterval: { textual: '10m' } },
        texts('status', 'enum', 'ok', 'unheard of'),
        texts('note', 'text', 'hi'),
      ],
      location: {
        case: 'replaceLocationRotation',
        value: { locations: [{ textual: '[1,2]' }], simulationInterval: hours(3) },
      },
    });
    const { simulations: listed, pagination } = await valueSimulations().listValueSimulations({});
    expect(pagination).toMatchObject({ total: 2 });
    expect(listed[0]).toMatchObject({
      modemNumber: numbers[0],
      values: [
        { fieldSelection: { value: 'note' }, value: { case: 'text', value: { values: ['hi'] } } },
        {
          fieldSelection: { value: 'pressure' },
          value: { case: 'numeric', value: { values: [1, 2.5], type: NumericType.PRESSURE } },
          simulationInterval: { textual: '10m' },
        },
        { value: { case: 'enum', value: { values: ['ok', 'unheard of'] } }, simulationInterval: { textual: '1h' } },
      ],
      location: {
        case: 'locationRotation',
        value: { locations: [{ textual: '[1,2]' }], simulationInterval: { textual: '3h' } },
      },
    });
    const disable = async (request: object) => (await valueSimulations().disableValueSimulations(request)).deleted;
    expect(
      await disable({ modems: of(numbers[0]), field: { case: 'fields', value: { fields: ['note'], location: true } } }),
    ).toBe(1);
    const [left] = (await valueSimulations().listValueSimulations({ modems: of(numbers[0]) })).simulations;
    expect(left?.values).toHaveLength(2);
    expect(left?.location.case).toBeUndefined();
    expect(await disable({ field: { case: 'removeAll', value: true } })).toBe(2);
    expect((await valueSimulations().listValueSimulations({})).simulations).toEqual([]);
    await expect(disable({})).rejects.toMatchObject(invalid('Specify what to disable'));
  });

  test('stores values when they are due, without a message', async () => {
    const number = numbers[3]!;
    const before = await t.app.db.orm.execute(sql`select id from message`);
    await valueSimulations().updateValueSimulations({
      modems: of(number),
      parserIdentifier: parser,
      values: [pressures(1, 2), { ...texts('note', 'text', 'x'), simulationInterval: hours(2) }],
      location: { case: 'randomLocationInArea', value: { textual: '[[10,20],[11,21]]' } },
    });
    await round();
    await round(61 * MINUTE);
    await round(HOUR);
    const { rows } = await t.app.db.orm.execute(sql`
      select field, numeric, text, message::int as message, latitude between 10 and 11 as inside from value
       where number = ${number} and parser = ${parser} order by time, field`);
    const inside = { message: 0, inside: true };
    expect(rows).toEqual([
      { field: 'note', numeric: null, text: 'x', ...inside },
      { field: 'pressure', numeric: 1, text: null, ...inside },
      { field: 'pressure', numeric: 2, text: null, ...inside },
      { field: 'note', numeric: null, text: 'x', ...inside },
      { field: 'pressure', numeric: 1, text: null, ...inside },
    ]);
    const after = await t.app.db.orm.execute(sql`select id from message`);
    expect(after.rows).toHaveLength(before.rows.length);
    const { unbundledEvents } = await t
      .as('administrator')
      .client(EventService)
      .list({ selection: { events: { include: [EventType.DEVICE_LOCATION_UPDATED] } }, unbundledEvents: true });
    expect(unbundledEvents.flatMap((page) => page.unbundledEvents).length).toBeGreaterThanOrEqual(3);
    expect((await valuesOf(number)).length).toBeGreaterThan(0);
  });

  test('runs once per interval, even if it is updated again and again', async () => {
    const number = numbers[7]!;
    const update = () =>
      valueSimulations().updateValueSimulations({
        modems: of(number),
        parserIdentifier: parser,
        values: [pressures(1, 2)],
        location: {
          case: 'replaceLocationRotation',
          value: { locations: [{ textual: '[1,2]' }, { textual: '[3,4]' }], simulationInterval: hours(1) },
        },
      });
    const nextRunOf = async () => {
      const [simulation] = (await valueSimulations().listValueSimulations({ modems: of(number) })).simulations;
      return simulation?.location.case === 'locationRotation'
        ? simulation.location.value.nextSimulationRunAfter?.textual
        : undefined;
    };
    const nextRuns = new Set<string | undefined>();
    for (let minute = 0; minute < 120; minute += 20) {
      await update();
      await round(minute === 0 ? 0 : 20 * MINUTE);
      nextRuns.add(await nextRunOf());
    }
    expect(nextRuns.size).toBe(2);
    const { rows } = await t.app.db.orm.execute(sql`
      select 1 from value where number = ${number} and parser = ${parser} and field = 'pressure'`);
    expect(rows).toHaveLength(2);
  });

  test('is limited for each organization, together with the simulation of locations', async () => {
    await addDevices(800);
    try {
      const location = {
        case: 'replaceLocationRotation' as const,
        value: { locations: [{ textual: '[1,2]' }], simulationInterval: { textual: '1m' } },
      };
      await expect(valueSimulations().updateValueSimulations({ location })).rejects.toMatchObject({
        code: Code.FailedPrecondition,
        rawMessage: expect.stringContaining('at most 1,000,000 simulated values and locations a day'),
      });
      expect((await valueSimulations().listValueSimulations({})).simulations).toEqual([]);
    } finally {
      await removeAddedDevices();
    }
  });

  test('adds the numeric types to the device', async () => {
    const number = numbers[5]!;
    await t.app.db.orm.execute(sql`update device set numeric_value_types = '{2}' where number = ${number}`);
    await valueSimulations().updateValueSimulations({
      modems: of(number),
      parserIdentifier: parser,
      values: [pressures(1), texts('note', 'text', 'x')],
    });
    await round();
    const { devices } = await t
      .as('administrator')
      .client(DeviceService)
      .list({ selection: of(number) });
    expect(devices[0]?.numericValueTypes).toEqual([NumericType.TEMPERATURE, NumericType.PRESSURE]);
  });

  test('stores the values of encrypted fields encrypted', async () => {
    const number = numbers[5]!;
    const { identifier } = await t
      .as('administrator')
      .client(ModemMessageBodyParserService)
      .upload({
        name: 'Encrypted',
        contentKsy: 'seq:\n  - {id: a, type: u1}\n',
        dataFields: [{ field: 'code', encrypted: true }],
      });
    await valueSimulations().updateValueSimulations({
      modems: of(number),
      parserIdentifier: identifier,
      values: [texts('code', 'text', '4711')],
    });
    await round();
    const { rows } = await t.app.db.orm.execute<{ text: string; sealed: boolean }>(sql`
      select text, sealed from value where number = ${number} and parser = ${identifier}`);
    expect(rows).toEqual([{ text: expect.not.stringContaining('4711'), sealed: true }]);
    const { rows: stored } = await t.app.db.orm.execute(sql`
      select rotation::text from value_simulation where number = ${number} and field = 'code'`);
    expect(stored).toEqual([{ rotation: expect.not.stringContaining('4711') }]);
    const { simulations: listed } = await valueSimulations().listValueSimulations({ modems: of(number) });
    expect(listed[0]?.values).toMatchObject([{ value: { case: 'text', value: { values: ['4711'] } } }]);
    const code = (await valuesOf(number)).find(({ field }) => field === 'code');
    expect(code?.valueType).toMatchObject({ case: 'value', value: { value: { case: 'text', value: '4711' } } });
  });

  test('ends with its field', async () => {
    const parsers = t.as('administrator').client(ModemMessageBodyParserService);
    const { identifier } = await parsers.upload({
      name: 'Short-lived',
      contentKsy: 'seq:\n  - {id: a, type: u1}\n',
      dataFields: [{ field: 'gone' }],
    });
    await valueSimulations().updateValueSimulations({
      modems: of(numbers[4]!),
      parserIdentifier: identifier,
      values: [texts('gone', 'text', 'x')],
    });
    await parsers.delete({ selection: { identifiers: [identifier] } });
    await round();
    expect((await valueSimulations().listValueSimulations({})).simulations).toEqual([]);
  });

  test.each<[string, object, string, Code?]>([
    ['nothing', {}, 'Specify the values or the location'],
    ['an unknown field', { values: [texts('nope', 'text', 'x')] }, 'has no field nope', Code.NotFound],
    ['no field', { values: [texts('', 'text', 'x')] }, 'needs the path or the identifier'],
    [
      'values of another type',
      { values: [texts('pressure', 'text', 'x')] },
      'is numeric, so it cannot have text values',
    ],
    ['no values', { values: [texts('note', 'text')] }, 'needs values'],
    ['a field twice', { values: [texts('note', 'text', 'x'), texts('note', 'text', 'y')] }, 'listed twice'],
    ['a long text', { values: [texts('note', 'text', 'x'.repeat(201))] }, 'at most 200 characters'],
    [
      'a unit of another type',
      {
        values: [
          {
            ...path('pressure'),
            value: {
              case: 'numeric',
              value: { values: [1], type: NumericType.PRESSURE, unit: UnitOfMeasurement.TEMPERATURE_KELVIN },
            },
          },
        ],
      },
      'have the type PRESSURE, but the unit K',
    ],
    [
      'no unit',
      {
        values: [
          { ...path('pressure'), value: { case: 'numeric', value: { values: [1], type: NumericType.PRESSURE } } },
        ],
      },
      'need a unit',
    ],
    ['an unknown parser', { parserIdentifier: 'nope', values: [pressures(1)] }, 'has no parser', Code.NotFound],
  ])('with %s is refused', async (_, change, sentence, code = Code.InvalidArgument) => {
    await expect(
      valueSimulations().updateValueSimulations({
        modems: of(numbers[0]),
        parserIdentifier: parser,
        ...change,
      }),
    ).rejects.toMatchObject({ ...invalid(sentence), code });
  });
});

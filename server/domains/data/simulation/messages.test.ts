import { setTimeout } from 'node:timers/promises';

import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { SimulationService } from '#proto/gen/hiber/simulation_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import {
  addDevices,
  deleteSimulations,
  HOUR,
  hours,
  invalid,
  MINUTE,
  modemSelection,
  readNumbers,
  removeAddedDevices,
} from '#server/testkit/simulations.ts';

import { runSimulations } from './run.ts';

let t: TestServer;
let numbers: [string, string, ...string[]];
beforeAll(async () => {
  t = await startTestServer();
  numbers = await readNumbers(t);
});
afterAll(() => t.close());

beforeEach(() => deleteSimulations(t));

const simulations = () => t.as('administrator').client(SimulationService);

const bytes = (hex: string) => ({ hex });
const sortStrings = (values: readonly (string | undefined)[]) => values.map(String).toSorted();

/** Lists the messages of the last round. */
async function listSimulatedMessages(number: string) {
  const { messages } = await t
    .as('administrator')
    .client(MessageService)
    .list({ selection: { modemSelection: modemSelection(number) }, pagination: { size: 30 } });
  return messages.filter(({ messageId }) => messageId > lastId);
}

let lastId = 0n;
async function round(milliseconds = 0, run = () => runSimulations(t.app)): Promise<void> {
  t.advance(milliseconds);
  const { rows } = await t.app.db.orm.execute<{ id: string }>(sql`select max(id)::text as id from message`);
  lastId = BigInt(rows[0]?.id ?? 0);
  await run();
}

describe('the settings of simulated messages', () => {
  test('are off by default, and each request changes only the settings it names', async () => {
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
  ])('are rejected with %s', async (_, change, sentence) => {
    await expect(simulations().update(change)).rejects.toMatchObject(invalid(sentence));
  });
});

describe('the simulation of messages', () => {
  test('is created, changed, disabled, and listed', async () => {
    const created = await simulations().updateModemMessageSimulations({
      modems: modemSelection(...numbers.slice(0, 3)),
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
      modems: modemSelection(numbers[0]),
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
    expect(
      await simulations().disableModemMessageSimulations({ modems: modemSelection(numbers[0], numbers[5]!) }),
    ).toMatchObject({
      deleted: 1,
      request: { organization: 'northwind' },
    });
    const listModems = async (request: object) => {
      const { modems: listedModems } = await simulations().listModemMessageSimulations(request);
      return listedModems.map(({ modemNumber }) => modemNumber);
    };
    expect(await listModems({})).toEqual([numbers[1], numbers[2]]);
    expect(await listModems({ includeDisabled: true })).toEqual(numbers.slice(0, 3));
    expect(await listModems({ modems: modemSelection(numbers[1]) })).toEqual([numbers[1]]);
  });

  test('sends due messages in rotation', async () => {
    await simulations().update({ enabled: true });
    await simulations().updateModemMessageSimulations({
      modems: modemSelection(numbers[0]),
      messagesPerInterval: 3,
      messageBody: { case: 'replaceMessageBodyRotation', value: { messageBodies: [bytes('01aa'), bytes('02bb')] } },
      messageBodyAddVariableByteIndices: [1, 9],
      location: { case: 'replaceLocationRotation', value: { locations: [{ textual: '[1,2]' }, { textual: '[3,4]' }] } },
      metadata: { fPort: 7 },
    });
    await round();
    const first = await listSimulatedMessages(numbers[0]);
    expect(sortStrings(first.map(({ bodyBytes }) => bodyBytes?.hex?.slice(0, 2)))).toEqual(['01', '01', '02']);
    expect(sortStrings(first.map(({ location }) => location?.textual))).toEqual(['[1,2]', '[1,2]', '[3,4]']);
    expect(first[0]).toMatchObject({ isTest: false, metadata: { fPort: 7 } });
    await round(59 * MINUTE);
    expect(await listSimulatedMessages(numbers[0])).toEqual([]);
    await round(2 * MINUTE);
    const second = await listSimulatedMessages(numbers[0]);
    expect(sortStrings(second.map(({ location }) => location?.textual))).toEqual(['[1,2]', '[3,4]', '[3,4]']);
    // Missed runs are skipped.
    await round(50 * HOUR);
    expect(await listSimulatedMessages(numbers[0])).toHaveLength(3);
  });

  test('stops while the organization, the device, or a pause disables it', async () => {
    await simulations().updateModemMessageSimulations({ modems: modemSelection(numbers[0], numbers[1]) });
    await round();
    expect(await listSimulatedMessages(numbers[0])).toEqual([]);
    await simulations().update({ enabled: true });
    await simulations().disableModemMessageSimulations({ modems: modemSelection(numbers[0]) });
    await simulations().updateModemMessageSimulations({
      modems: modemSelection(numbers[1]),
      setInactiveUntil: { textual: new Date(t.app.now().getTime() + 5 * HOUR).toISOString() },
    });
    expect(await simulations().get({})).toMatchObject({
      modemMessageSimulation: { enabledModems: 1, activeModems: 0, inactiveModems: 1, totalMessagesPerDay: 0 },
    });
    await round(2 * HOUR);
    expect([...(await listSimulatedMessages(numbers[0])), ...(await listSimulatedMessages(numbers[1]))]).toEqual([]);
    // Another change does not end the pause.
    await simulations().updateModemMessageSimulations({ modems: modemSelection(numbers[1]), messagesPerInterval: 2 });
    await round();
    expect(await listSimulatedMessages(numbers[1])).toEqual([]);
    await round(4 * HOUR);
    expect(await listSimulatedMessages(numbers[1])).toHaveLength(2);
  });

  test('lets devices fall silent and return, up to the percentage', async () => {
    await simulations().update({
      enabled: true,
      simulateModemInactivity: { percentageOfSimulatingModems: 50, periodMin: hours(10), periodMax: hours(10) },
    });
    await simulations().updateModemMessageSimulations({ modems: modemSelection(...numbers.slice(0, 4)) });
    const countSilent = async () => (await simulations().get({})).modemMessageSimulation?.inactiveModems ?? 0;
    for (let index = 0; index < 9; index += 1) {
      await round(61 * MINUTE);
      expect(await countSilent()).toBeLessThanOrEqual(2);
    }
    // Two of four slots are taken in each of 9 hours with a probability of a half, which fails once in 10,000,000 runs.
    expect(await countSilent()).toBeGreaterThan(0);
    await simulations().update({ simulateModemInactivity: {} });
    await round(20 * HOUR);
    expect(await countSilent()).toBe(0);
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
    await simulations().updateModemMessageSimulations({ modems: modemSelection(numbers[2]!) });
    await round();
    const [message] = await listSimulatedMessages(numbers[2]!);
    const delay = Number(message?.receivedAt?.timestamp?.seconds) - Number(message?.sentAt?.timestamp?.seconds);
    expect(delay).toBeGreaterThanOrEqual(2 * 3600);
    expect(delay).toBeLessThanOrEqual(3 * 3600 + 1);
  });

  test('runs once, even if several processes try', async () => {
    await simulations().update({ enabled: true });
    await simulations().updateModemMessageSimulations({ modems: modemSelection(...numbers.slice(0, 5)) });
    await round(0, async () => {
      await Promise.all([runSimulations(t.app), runSimulations(t.app), runSimulations(t.app)]);
    });
    for (const number of numbers.slice(0, 5)) expect(await listSimulatedMessages(number)).toHaveLength(1);
  });

  test.each([
    ['a hidden or unknown device', { modems: modemSelection('FFFF FFFF') }, 'has no device', Code.NotFound],
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
      "message_bodies[0].hex isn't hexadecimal",
    ],
    ['an index beyond any body', { messageBodyAddVariableByteIndices: [20_000] }, 'No body has a byte 20000'],
    [
      'the removal of an index beyond any body',
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
  ])('is rejected with %s', async (_, change, sentence, code = Code.InvalidArgument) => {
    await expect(
      simulations().updateModemMessageSimulations({ modems: modemSelection(numbers[0]), ...(change as object) }),
    ).rejects.toMatchObject({ ...invalid(sentence), code });
  });

  test('runs once per interval, even if it is updated again and again', async () => {
    const number = numbers[6]!;
    await simulations().update({ enabled: true });
    const update = (change: object) =>
      simulations().updateModemMessageSimulations({
        modems: modemSelection(number),
        simulationInterval: hours(1),
        ...change,
      });
    let sent = 0;
    for (let minute = 0; minute < 120; minute += 20) {
      await update({ setInactiveUntil: { textual: 'now' }, messageBody: { case: undefined } });
      await update({ location: { case: 'replaceLocationRotation', value: { locations: [{ textual: '[1,2]' }] } } });
      await simulations().disableModemMessageSimulations({ modems: modemSelection(number) });
      await update({});
      await round(minute === 0 ? 0 : 20 * MINUTE);
      sent += (await listSimulatedMessages(number)).length;
    }
    expect(sent).toBe(2);
  });

  test('takes at most two seconds of a round per organization', async () => {
    await addDevices(t, numbers[0], 60);
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
      const dueModems = modems.filter(
        ({ nextSimulationRunAfter: next }) => Date.parse(next?.textual ?? '') < t.app.now().getTime(),
      );
      expect(dueModems).toEqual([]);
    } finally {
      await removeAddedDevices(t);
    }
  });

  test('is limited for each organization', async () => {
    await addDevices(t, numbers[0], 700);
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
      await removeAddedDevices(t);
    }
  });
});

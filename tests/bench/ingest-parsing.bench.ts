import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient, type Transport } from '@connectrpc/connect';

import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { freePort } from '#server/launch/free-port.mjs';
import { openParsing } from '#server/parsing/parsing.ts';
import { ServerProcess, signIn } from '#tests/torture/server-process.ts';
import { openAccess } from '#tests/torture/writers.ts';

import { measureInTurn, percentile, type Bench, type Row } from './bench.ts';
import { createBearer, deleteParsers, listNumbers } from './ingest/devices.ts';
import { CONTENT, Pusher } from './ingest/pusher.ts';

/** Half of them have a parser. */
const DEVICES = 2000;
const ROUNDS = 5;
const SECONDS = 4;
const LOAD = { clients: 4, batch: 500, seconds: SECONDS };
/** The minimum throughput, as a fraction of that of the same load without parsing. */
const THROUGHPUT = 0.6;
const PARSING_MS = 0.2;
const PARSED_MESSAGES = 500;
const PARSING_ROUNDS = 40;

const FIELDS = ['level', 'pressure', 'temperature', 'battery'];
const DEFINITION = `
meta: { id: bench, endian: be }
seq:
  - { id: level, type: u2 }
  - { id: pressure, type: s4 }
  - { id: temperature, type: s2 }
  - { id: battery, type: u1 }
`;

/** Assigns a parser to half of the devices. Returns a token, and the numbers of devices with and without a parser. */
async function prepare(transport: Transport) {
  const parsers = createClient(ModemMessageBodyParserService, transport);
  await deleteParsers(transport);
  const dataFields = FIELDS.map((field) => ({ field, details: { case: 'numeric' as const, value: {} } }));
  const { identifier } = await parsers.upload({ name: 'Benchmark', contentKsy: DEFINITION, dataFields });
  const numbers = await listNumbers(transport, DEVICES);
  const parsed = numbers.slice(0, DEVICES / 2);
  await parsers.assign({ assignParsers: { identifiers: [identifier] }, toModems: { modems: { include: parsed } } });
  return { token: await createBearer(transport), parsed, plain: numbers.slice(DEVICES / 2) };
}

async function measureIngest(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-parsing-'));
  const server = new ServerProcess({
    entry: ['dist/server/main.js'],
    port: await freePort(),
    folder,
    databaseUrl: undefined,
    sealingKey: randomBytes(32).toString('base64'),
    devices: DEVICES,
  });
  try {
    await server.start();
    const access = openAccess([server.address], await signIn(server.address));
    const [transport] = access.transports;
    if (transport === undefined) throw new Error('No server was started.');
    const { token, parsed, plain } = await prepare(transport);
    access.close();
    const pushers = {
      parsed: new Pusher([server.address], token, parsed),
      plain: new Pusher([server.address], token, plain),
    };
    const times: Record<keyof typeof pushers, number[]> = { parsed: [], plain: [] };
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const name of ['parsed', 'plain'] as const) {
        const ms = await pushers[name].measure(LOAD);
        if (round >= 0) times[name].push(ms);
      }
    }
    await Promise.all(Object.values(pushers).map((pusher) => pusher.close()));
    return {
      name: `1,000 messages with a parser of four fields vs without, p50`,
      unit: 'ms',
      value: percentile(times.parsed, 50),
      baseline: percentile(times.plain, 50),
      target: Number((1 / THROUGHPUT).toFixed(2)),
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures parsing alone, per message, with the round trip to its thread: in one call for many messages, and in one call per
 * message, each waiting for the result of the one before.
 */
async function measureParsing(): Promise<Row[]> {
  const parsing = openParsing(async (organization) => organization);
  const parse = (count: number) =>
    parsing.parse(
      'northwind',
      DEFINITION,
      Array.from({ length: count }, () => CONTENT),
    );
  const times = await measureInTurn(
    {
      batch: () => parse(PARSED_MESSAGES),
      single: async () => {
        for (let message = 0; message < PARSED_MESSAGES; message += 1) await parse(1);
      },
    },
    PARSING_ROUNDS,
  );
  await parsing.close();
  return (['batch', 'single'] as const).map((name) => ({
    name: `parsing a message, ${name === 'batch' ? `in batches of ${PARSED_MESSAGES}` : 'one per call'}, p50 vs ${PARSING_MS} ms`,
    unit: 'ms',
    value: percentile(times[name], 50) / PARSED_MESSAGES,
    baseline: PARSING_MS,
    isWorkBudget: true,
    target: 1,
  }));
}

export const bench: Bench = {
  title: 'PushModemMessages with a parser: batches of 500 from 4 clients over HTTP, on PGlite',
  run: async () => [await measureIngest(), ...(await measureParsing())],
};

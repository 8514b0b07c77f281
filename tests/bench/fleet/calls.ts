import { create, type DescMessage, type DescMethodUnary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { Pool } from 'undici';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { ListProcessPoints_Sort, ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import { measureInTurn, percentile, type Row } from '../bench.ts';

const ROUNDS = 60;
const DAY_SECONDS = 86_400;

const pagination = { size: 100, page: 0 };

interface ServerAccess {
  readonly address: string;
  readonly idToken: string;
}

/** Measures lists and searches over HTTP, until the response is complete but not decoded. */
export async function measureCalls(server: ServerAccess, title: string, budgetMs: number): Promise<Row[]> {
  const { tasks, close } = callsOf(server);
  const times = await measureInTurn(tasks, ROUNDS);
  await close();
  return Object.entries(times).map(([name, values]) => ({
    name: `${title}, ${name}, p95 vs ${budgetMs} ms`,
    unit: 'ms',
    value: percentile(values, 95),
    baseline: budgetMs,
    isWorkBudget: true,
    target: 1,
  }));
}

function callsOf({ address, idToken }: ServerAccess) {
  const pool = new Pool(address, { connections: 4 });
  const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/proto' };
  const call = async <Input extends DescMessage>(method: DescMethodUnary<Input>, request: MessageInitShape<Input>) => {
    const path = `/${method.parent.typeName}/${method.name}`;
    const body = toBinary(method.input, create(method.input, request));
    const response = await pool.request({ path, method: 'POST', headers, body });
    const { byteLength } = await response.body.arrayBuffer();
    if (response.statusCode !== 200 || byteLength === 0) throw new Error(`${path} failed with ${response.statusCode}.`);
  };
  const now = BigInt(Math.floor(Date.now() / 1000));
  const range = (days: number) => ({
    start: { timestamp: { seconds: now - BigInt(days * DAY_SECONDS) } },
    end: { timestamp: { seconds: now } },
  });
  const devices = (selection: MessageInitShape<typeof DeviceService.method.list.input>['selection']) => () =>
    call(DeviceService.method.list, { selection, pagination });
  const tasks = {
    devices: devices({}),
    'devices, page in the middle': () => call(DeviceService.method.list, { pagination: { size: 100, page: 500 } }),
    'devices by lifecycle': devices({ lifecycles: { include: [Modem_Lifecycle.PAUSED] } }),
    'devices by health': devices({ healthLevel: { include: ['Alarm'] } }),
    'devices by tag': devices({ filterByTags: { names: ['K12 block'] } }),
    'devices of a well': devices({ filterByTags: { names: ['Avocet 1'], types: ['well'] } }),
    'devices by last message': devices({ withLastMessageIn: range(7) }),
    'search devices by name': devices({ freeTextSearch: 'kestrel' }),
    'search devices by number': devices({ freeTextSearch: 'ed50' }),
    messages: () => call(MessageService.method.list, { pagination }),
    'messages of a day': () => call(MessageService.method.list, { selection: { timeRange: range(1) }, pagination }),
    events: () => call(EventService.method.list, { pagination }),
    'events of a day': () => call(EventService.method.list, { selection: { timeRange: range(1) }, pagination }),
    'process points': () => call(ProcessPointService.method.list, { pagination }),
    'process points by activity': () =>
      call(ProcessPointService.method.list, { sortBy: [ListProcessPoints_Sort.ACTIVITY], pagination }),
    'search process points': () =>
      call(ProcessPointService.method.list, { selection: { search: ['kestrel 4'] }, pagination }),
    'search tags': () => call(TagService.method.list, { selection: { search: ['kestrel 4'] } }),
  };
  return { tasks, close: () => pool.close() };
}

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testing';
import type { Context } from '../core/context.ts';
import { listAll } from '../core/lookup.ts';
import { complete } from '../query/complete.ts';
import { contextAs } from '../testing/server.ts';
import { device } from './entity.ts';
import type { Device } from './item.ts';

let server: TestServer;
let context: Context;
let all: readonly Device[];
beforeAll(async () => {
  server = await startTestServer({ devices: 120 });
  context = await contextAs(server, 'operator');
  all = await listAll(device, '', context);
});
afterAll(() => server.close());

/** How many of all devices a filter finds, which must be those that `belongs` says. */
async function finds(filter: string, belongs: (item: Device) => boolean): Promise<void> {
  const found = await listAll(device, filter, context);
  const numbers = (items: readonly Device[]): string[] => items.map(device.id).toSorted();
  expect({ filter, numbers: numbers(found) }).toEqual({ filter, numbers: numbers(all.filter(belongs)) });
  expect(found.length, filter).toBeGreaterThan(0);
}

const GATEWAY = 2;
const INSTALLED = 1;
const PAUSED = 6;

test('health is selected by what it means and by the name of a level, and left out', async () => {
  await finds('health:ERROR', ({ level }) => level === 'error');
  await finds('health:alarm', ({ modem }) => modem.healthLevel?.level === 'Alarm');
  await finds('health:ERROR,WARNING', ({ level }) => level !== 'ok');
  await finds('-health:ERROR', ({ level }) => level !== 'error');
  await finds('health:ERROR,WARNING -health:WARNING', ({ level }) => level === 'error');
  await expect(listAll(device, 'health:purple', context)).rejects.toMatchObject({
    said: { key: 'common:filter.unknownLevel' },
  });
});

test('lifecycle, type and topology are selected and left out', async () => {
  await finds('lifecycle:INSTALLED', ({ modem }) => modem.lifecycle === INSTALLED);
  await finds('-lifecycle:INSTALLED,PAUSED', ({ modem }) => ![INSTALLED, PAUSED].includes(modem.lifecycle));
  await finds('type:GATEWAY', ({ modem }) => modem.type === GATEWAY);
  await finds('-type:GATEWAY', ({ modem }) => modem.type !== GATEWAY);
  const gateway = all.find(({ modem }) => modem.type === GATEWAY)!.modem.number;
  await finds(`gateway:"${gateway}"`, ({ modem }) => modem.connectedDeviceInfo?.connectedToGateway === gateway);
  await finds('gateway:*', ({ modem }) => Boolean(modem.connectedDeviceInfo?.connectedToGateway));
  await finds('-gateway:*', ({ modem }) => !modem.connectedDeviceInfo?.connectedToGateway);
});

test('what a device is called, made of and tagged with', async () => {
  const [first] = all;
  const { number, deviceType } = first!.modem;
  await finds(`number:${number.replace(' ', '')}`, ({ modem }) => modem.number === number);
  await finds(`-number:"${number}"`, ({ modem }) => modem.number !== number);
  await finds(`model:${deviceType}`, ({ modem }) => modem.deviceType === deviceType);
  const tag = all.flatMap(({ modem }) => modem.tags)[0]!;
  await finds(`tag:"${tag.label!.name}"`, ({ modem }) => modem.tags.some(({ id }) => id === tag.id));
  await finds(`-tag:"${tag.label!.name}"`, ({ modem }) => !modem.tags.some(({ id }) => id === tag.id));
  await finds('tagtype:well', ({ modem }) => modem.tags.some(({ label }) => label?.type === 'well'));
  await expect(listAll(device, 'tag:a', context)).rejects.toMatchObject({ said: { key: 'core:lookup.near' } });
});

test('the last message, older and younger', async () => {
  const age = ({ modem }: Device): number =>
    server.app.now().getTime() - Number(modem.lastMessageReceivedAt!.timestamp!.seconds) * 1000;
  const heard = ({ modem }: Device): boolean => modem.lastMessageReceivedAt?.timestamp !== undefined;
  await finds('last<2h', (item) => heard(item) && age(item) < 2 * 3_600_000);
  await finds('last>2h', (item) => heard(item) && age(item) > 2 * 3_600_000);
});

test('models are completed with how many there are of each', async () => {
  const { suggestions } = await complete('model:', 6, device, context);
  const sum = suggestions.reduce((total, { count = 0 }) => total + count, 0);
  expect(sum).toBe(all.filter(({ modem }) => modem.deviceType !== '').length);
  expect(suggestions.length).toBe(new Set(all.map(({ modem }) => modem.deviceType).filter(Boolean)).size);
});

test('the silent come first by -inactivity', async () => {
  const times = (await listAll(device, 'sort:-inactivity', context)).map(
    ({ modem }) => modem.lastMessageReceivedAt?.timestamp?.seconds,
  );
  const known = times.filter((each) => each !== undefined);
  expect(known).toEqual(known.toSorted((a, b) => Number(a - b)));
});

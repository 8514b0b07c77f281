import { Printer } from '#commands/cli/printer.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import type { WriteMoment } from '#commands/text/moment.ts';

import { testIo } from './io.ts';
import { translateKey } from './plain.ts';

export const heardAt = Date.parse('2026-03-11T12:00:00Z');
/** Columns of every kind. */
export const columns = [
  { id: 'name', kind: 'text', value: ({ name }: { name: string }) => name },
  { id: 'count', kind: 'number', value: () => '7' },
  { id: 'state', kind: 'text', value: () => message('gadget:state'), level: () => 'error', when: true },
  { id: 'heard', kind: 'time', value: () => 'long ago', time: () => heardAt },
  {
    id: 'age',
    kind: 'age',
    value: () => 'never',
    time: ({ id }: { id: string }) => (id === 'a' ? Date.now() - 90_000 : undefined),
  },
];
export const gadgetWithColumns = { ...gadget, columns } as unknown as AnyEntity;
export const items = [
  { id: 'a', name: 'North' },
  { id: 'b', name: 'South' },
];
export const moment: WriteMoment = (time) => `at ${time}`;
type IoOptions = Parameters<typeof testIo>[0];
/** Creates a printer that records what it prints. */
export const createPrinter = (options: IoOptions = {}, entity: AnyEntity = gadgetWithColumns) => {
  const io = testIo(options);
  return { io, printer: new Printer(io, createRegistry([{ entity, commands: [] }]), translateKey) };
};
/** Prints a list, and returns the cells of its rows. */
export const printList = (listing: object, options?: IoOptions, entity?: AnyEntity, writeMoment?: WriteMoment) => {
  const { io, printer } = createPrinter(options, entity);
  printer.list({ entity: 'gadget', items, total: items.length, ...listing }, writeMoment);
  return {
    rows: io
      .stdout()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    stderr: io.stderr(),
    text: io.stdout(),
  };
};

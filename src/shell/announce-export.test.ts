import { create } from '@bufbuild/protobuf';
import { beforeEach, expect, test, vi } from 'vitest';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { toasts } from '#src/state/toasts.ts';

import { announceExport } from './announce-export.ts';

const invoke = vi.hoisted(() => vi.fn<(invocation: object) => Promise<void>>(async () => undefined));
vi.mock('#src/run/invoke.ts', () => ({ invoke }));

beforeEach(() => {
  for (const { id } of toasts.list()) toasts.close(id);
});

const exportEvent = (kind: 'exportReady' | 'exportFailed', requestedBy: string) =>
  create(EventSchema, {
    event: {
      case: kind,
      value: { export: { identifier: 'export-1', name: 'Fleet', error: 'Too large.', requestedBy } },
    },
  });

test('offers to download an export of the user that is ready', () => {
  announceExport(exportEvent('exportReady', 'anna'), 'anna');
  const [toast] = toasts.list();
  expect(toast!.title).toContain('Fleet');
  toast!.action!.run();
  expect(invoke).toHaveBeenCalledWith({ id: 'export.download', args: { exports: { ids: ['export-1'] } } });
});

test('says why an export of the user failed', () => {
  announceExport(exportEvent('exportFailed', 'anna'), 'anna');
  expect(toasts.list()).toMatchObject([{ tone: 'error', detail: 'Too large.' }]);
});

test('does not mention the exports of others', () => {
  announceExport(exportEvent('exportReady', 'bram'), 'anna');
  announceExport(create(EventSchema), 'anna');
  expect(toasts.list()).toEqual([]);
});

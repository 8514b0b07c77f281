import type { MessageInitShape } from '@bufbuild/protobuf';

import { bulkAction, type CallContext } from '#commands/kit/bulk-action.ts';
import { createAction } from '#commands/kit/create-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { parsePoint } from '#commands/kit/location.ts';
import { parseMetadata } from '#commands/kit/metadata-pairs.ts';
import type { CreatedItem } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { createInOrder } from '#commands/run/batch.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { ProcessPoint_Type, type ProcessPoint } from '#proto/gen/hiber/process_point_pb.ts';
import { ProcessPointService, type CreateProcessPointSchema } from '#proto/gen/hiber/process_point_service_pb.ts';

import { processPoint } from './entity.ts';
import { organizationIdOf } from './item.ts';
import { keyProblem } from './metadata.ts';
import { pointParams } from './params.ts';
import { sendTags } from './tag.ts';

type NewPoint = MessageInitShape<typeof CreateProcessPointSchema>;

/** Creates a point, then assigns its tags, which the create rpc cannot do (contract: ProcessPointService). */
function createWithTags(context: CallContext, point: NewPoint, tagIds: readonly bigint[]): Promise<CreatedItem> {
  const { api, organization, signal } = context;
  return createInOrder(
    async () => {
      const { created } = await api(ProcessPointService).create({ organization, create: [point] }, { signal });
      return { id: created[0]!.identifier, label: created[0]!.name };
    },
    tagIds.length > 0 ? [(id) => sendTags(context, 'tag', [id], tagIds)] : [],
  );
}

export const createPoint = createAction({
  entity: processPoint,
  requires: 'UPDATE_PROCESS_POINTS',
  keys: ['c p'],
  params: { name: required(p.text({ maxLength: MAX_LENGTH.deviceName })), ...pointParams, tags: p.refs(() => tag) },
  positional: ['name'],
  problems: (_context, { metadata }) => {
    const problem = keyProblem(metadata);
    return problem ? { metadata: problem } : {};
  },
  nameOf: ({ name }) => name.trim(),
  notes: (_context, { tags = [] }) =>
    tags.length > 0 ? [message('process-point:plan.createTags', { tags: tags.map(tag.label).join(', ') })] : [],
  call: (context, { name, type, location, expectedRate, metadata, tags = [], ...details }) => {
    const { description, timeZone, notes } = details;
    const point = location ? parsePoint(location) : undefined;
    return createWithTags(
      context,
      {
        name: name.trim(),
        ...(type ? { type: ProcessPoint_Type[type] } : {}),
        ...(description ? { description } : {}),
        ...(notes ? { notes } : {}),
        ...(timeZone ? { timeZone } : {}),
        ...(expectedRate ? { expectedTransmissionRate: { value: expectedRate } } : {}),
        ...(metadata ? { metadata: parseMetadata(metadata) } : {}),
        ...(point ? { location: point } : {}),
      },
      tags.map((item) => item.tag.id),
    );
  },
  undo: { verb: 'delete', target: 'processPoints' },
  changed: ['tag'],
});

function createCopy(point: ProcessPoint, suffix: string): NewPoint {
  const { type, description, notes, timeZone, expectedTransmissionRate, metadata, location, files } = point;
  return {
    name: `${point.name} ${suffix}`.trim(),
    ...(type ? { type } : {}),
    ...(description ? { description } : {}),
    ...(notes ? { notes } : {}),
    ...(timeZone ? { timeZone } : {}),
    ...(expectedTransmissionRate ? { expectedTransmissionRate } : {}),
    ...(metadata ? { metadata } : {}),
    ...(location ? { location } : {}),
    files: files.map(({ identifier }) => ({ identifier })),
  };
}

export const duplicatePoint = bulkAction({
  entity: processPoint,
  verb: 'duplicate',
  target: 'processPoints',
  requires: ['UPDATE_PROCESS_POINTS', 'ASSIGNMENTS'],
  keys: [LETTERS.duplicate],
  params: { suffix: p.text({ fallback: '(copy)' }) },
  notes: (_context, items) =>
    items.some(({ point }) => point.devices.length > 0) ? [message('process-point:plan.duplicateDevices')] : [],
  organization: organizationIdOf,
  size: 1,
  call: async (context, [item], { suffix = '(copy)' }) => {
    const { point } = item!;
    const tagIds = point.tags.map(({ id }) => id);
    return { createdIds: [(await createWithTags(context, createCopy(point, suffix), tagIds)).id] };
  },
  undo: { created: 'delete' },
  changed: ['tag'],
});

/**
 * Deletes points with their assignments. This can't be undone, because a new point would have another identifier and
 * none of the past assignments.
 */
export const deletePoint = bulkAction({
  entity: processPoint,
  verb: 'delete',
  target: 'processPoints',
  effect: 'destructive',
  requires: 'UPDATE_PROCESS_POINTS',
  keys: [LETTERS.remove],
  change: (item) => ({
    field: message('process-point:fields.name'),
    before: processPoint.label(item),
    after: undefined,
  }),
  notes: (_context, items) => {
    const count = new Set(items.flatMap(({ point }) => point.devices.map(({ number }) => number))).size;
    return count > 0 ? [message('process-point:plan.deleteDevices', { count })] : [];
  },
  organization: organizationIdOf,
  call: async ({ api, organization, signal }, items) => {
    const selection = { identifiers: items.map(processPoint.id) };
    await api(ProcessPointService).delete({ organization, selection }, { signal });
  },
  changed: ['device', 'tag'],
});

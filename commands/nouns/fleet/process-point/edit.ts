import { create } from '@bufbuild/protobuf';

import { orderFields, pickFields } from '#commands/kit/attributes.ts';
import type { CallContext } from '#commands/kit/bulk-action.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { MetadataPairs } from '#commands/kit/metadata-pairs.ts';
import type { Command } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import {
  ProcessPointService,
  UpdateProcessPointSchema,
  type UpdateProcessPoint,
} from '#proto/gen/hiber/process_point_service_pb.ts';

import { pointAttributes, type PointField } from './attributes.ts';
import { processPoint } from './entity.ts';
import { organizationIdOf, type PointItem } from './item.ts';
import { keyProblem } from './metadata.ts';
import { pointParams } from './params.ts';

/** Sends one update for all points of a call. */
export async function sendUpdate(
  { api, organization, signal }: CallContext,
  items: readonly PointItem[],
  writeChanges: (update: UpdateProcessPoint) => void,
): Promise<void> {
  const update = create(UpdateProcessPointSchema);
  writeChanges(update);
  const selection = { identifiers: items.map(processPoint.id) };
  // The response includes a page of the points, which we do not need.
  const request = { organization, selection, update, pagination: { size: 1 } };
  await api(ProcessPointService).update(request, { signal });
}

interface PointEdit {
  readonly verb: string;
  readonly fields: Readonly<Record<string, PointField>>;
  readonly keys?: readonly string[];
  readonly prompts: boolean;
}

function editPointCommand({ fields, ...spec }: PointEdit): Command {
  return editCommand({
    entity: processPoint,
    target: 'processPoints',
    requires: 'UPDATE_PROCESS_POINTS',
    fields,
    ...spec,
    // Devices show their point names.
    changed: ['process-point', 'device'],
    problems: (items, values) => {
      const problem = keyProblem(values['metadata'] as MetadataPairs | undefined);
      return {
        ...(items.length > 1 && values['name'] !== undefined
          ? { name: message('process-point:validation.bulkName') }
          : {}),
        ...(problem ? { metadata: problem } : {}),
      };
    },
    organization: organizationIdOf,
    call: (context, items, { newValues }) =>
      sendUpdate(context, items, (update) => {
        for (const [name, value] of Object.entries(newValues)) fields[name]!.write(update, value, items);
      }),
  });
}

export const editPoint = editPointCommand({
  verb: 'edit',
  fields: orderFields(pointAttributes.fields, 'name', ...Object.keys(pointParams)),
  prompts: false,
  keys: [LETTERS.edit],
});

export const renamePoint = editPointCommand({
  verb: 'rename',
  fields: pickFields(pointAttributes.fields, 'name'),
  prompts: true,
});

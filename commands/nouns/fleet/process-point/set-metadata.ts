import { send, type SendOptions } from '#commands/kit/bulk-action.ts';
import { completedEditMessage, editPlan } from '#commands/kit/edit-plan.ts';
import { restore, splitUnchanged, type Fields, type NewValues } from '#commands/kit/editing.ts';
import { formatMetadata, parseMetadata, type MetadataPairs } from '#commands/kit/metadata-pairs.ts';
import { command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

import { addMetadata, pointAttributes } from './attributes.ts';
import { sendUpdate } from './edit.ts';
import { processPoint } from './entity.ts';
import { organizationIdOf, type PointItem } from './item.ts';
import { keyProblem } from './metadata.ts';

interface MetadataChange {
  readonly add: MetadataPairs | undefined;
  readonly remove: readonly string[] | undefined;
}

/** Returns the metadata field for a command that adds to the current metadata and removes some keys. */
function metadataField({ remove = [] }: MetadataChange): Fields<PointItem> {
  return {
    metadata: {
      ...pointAttributes.fields['metadata']!,
      after: ({ point }, add) => {
        // Format the new values like the current ones, so equal values are equal strings.
        const addedMetadata = formatMetadata(parseMetadata(add as MetadataPairs));
        const entries = Object.entries({ ...formatMetadata(point.metadata), ...addedMetadata });
        return Object.fromEntries(entries.filter(([key]) => !remove.includes(key)));
      },
    },
  };
}

const toNewValues = ({ add = {} }: MetadataChange): NewValues => ({ metadata: add });

export const setMetadata = command({
  id: 'process-point.set-metadata',
  example: { add: { 'max.bar': '40' } },
  on: () => processPoint,
  requires: 'UPDATE_PROCESS_POINTS',
  effect: 'write',
  params: { processPoints: p.many(() => processPoint), add: p.pairs(), remove: p.words() },
  positional: ['processPoints'],
  problems: (_context, { add = {}, remove = [] }) => {
    const conflict = remove.find((key) => Object.hasOwn(add, key));
    if (conflict !== undefined) return { remove: message('process-point:validation.addAndRemove', { key: conflict }) };
    if (Object.keys(add).length + remove.length === 0) return { add: message('core:validation.required') };
    const problem = keyProblem(add);
    return problem ? { add: problem } : {};
  },
  plan: async (_context, args) =>
    editPlan(processPoint, metadataField(args), toNewValues(args), args.processPoints.items),
  run: async (context, args) => {
    const fields = metadataField(args);
    const { itemsToChange } = splitUnchanged(fields, toNewValues(args), args.processPoints.items);
    const options: SendOptions<PointItem, MetadataChange> = {
      organization: organizationIdOf,
      call: (callContext, items, { add = {}, remove = [] }) =>
        sendUpdate(callContext, items, (update) => {
          addMetadata(update, parseMetadata(add));
          update.removeMetadataKeys = [...remove];
        }),
    };
    const { results } = await send(context, processPoint, options, itemsToChange, args);
    return {
      changed: ['process-point'],
      results,
      message: completedEditMessage(processPoint, fields, toNewValues(args), results),
    };
  },
  inverse: (args, outcome) => {
    const edit = { id: 'process-point.edit', target: 'processPoints', newValues: toNewValues(args) };
    return restore(processPoint, metadataField(args), edit, args.processPoints.items, outcome);
  },
});
